#include "warnings/warnings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/schema/run_file.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::analyze {
namespace {

using tables::affine;
using tables::batch_sizes;
using tables::make_run;
using tables::quiet;
using tables::view_run;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

schema::RunFile clean_run() {
  schema::RunFile run = make_run({batch_sizes({1, 2}), affine(), 12, 8, quiet(), 1});
  for (schema::Visit& visit : run.visits) visit.warmup_ns.assign(2, visit.samples_ns.front());
  return run;
}

std::vector<std::string> warnings(const schema::RunFile& run) {
  return warnings_of(view_run(run));
}

TEST(Warnings, ACleanRunHasNone) {
  EXPECT_THAT(warnings(clean_run()), IsEmpty());
}

TEST(Warnings, TellOfAnUnfitMachine) {
  schema::RunFile run = clean_run();
  run.visits[3].fitness = {.steal_ratio = 0.12,
                           .others_load = 0.9,
                           .throttled_ns = 5,
                           .clock_ratio = 0.5,
                           .other_gpu_processes = 1};
  run.visits[4].fitness.steal_ratio = 0.001;
  const auto found = warnings(run);
  EXPECT_THAT(found, Contains(HasSubstr("in 1 of 2 visits (at most 12 %)")));
  EXPECT_THAT(found, Contains(HasSubstr("0.900 CPUs")));
  EXPECT_THAT(found, Contains(HasSubstr("CPU quota")));
  EXPECT_THAT(found, Contains(HasSubstr("75 % of its default clock")));
  EXPECT_THAT(found, Contains(HasSubstr("Other processes used the GPU")));
}

TEST(Warnings, WhatTicksDoNotResolveIsNoTrouble) {
  schema::RunFile run = clean_run();
  run.header.machine.logical_cpus = 2;
  run.visits[3].fitness.steal_ratio = 0.013;
  run.visits[3].fitness.others_load = 0.25;
  run.visits[3].wall_ns = 50'000'000;
  EXPECT_THAT(warnings(run), IsEmpty());
  run.visits[3].wall_ns = 5'000'000'000;
  EXPECT_THAT(warnings(run), Contains(HasSubstr("The hypervisor took CPU time away")));
  EXPECT_THAT(warnings(run), Contains(HasSubstr("Other processes were busy")));
}

TEST(Warnings, TellOfMeansThatRestOnFewIterations) {
  schema::RunFile run = clean_run();
  for (schema::Visit& visit : run.visits) visit.samples_ns.back() *= 2;
  EXPECT_THAT(warnings(run), Contains(HasSubstr("--min-visit-time")));
  for (schema::Visit& visit : run.visits) {
    if (visit.block % 6 != 0) visit.samples_ns.back() = visit.samples_ns.front();
  }
  EXPECT_THAT(warnings(run), Not(Contains(HasSubstr("--min-visit-time")))) << "accidents";
}

TEST(Warnings, TellOfPointsThatFailedOnce) {
  schema::RunFile run = clean_run();
  run.configs.push_back(batch_sizes({64}).front());
  const schema::Event event{{"killed at 8 GiB", {2, 0, 0}, "use a smaller batch"},
                            schema::EventKind::out_of_memory};
  const schema::Event given_up{{"failed 2 times: skipped from now on", {2, 1, 0}, ""},
                               schema::EventKind::warning};
  run.events = {event, event, given_up};
  const auto found = warnings(run);
  EXPECT_THAT(found, Contains("batch 64: out-of-memory: killed at 8 GiB (2 times); failed 2 times: "
                              "skipped from now on (use a smaller batch)"));
  EXPECT_THAT(found, Not(Contains(HasSubstr("was not measured")))) << "as is said already";
}

TEST(Warnings, WhatSeveralTablesLackIsReportedOnce) {
  schema::RunFile run = clean_run();
  std::erase_if(run.visits, [](const schema::Visit& visit) { return visit.block > 3; });
  const std::size_t configs = run.configs.size();
  for (std::size_t i = 0; i < configs; ++i) {
    run.configs.push_back(run.configs[i]);
    run.configs.back().precision = schema::Precision::bf16;
  }
  for (schema::Visit visit : std::vector(run.visits)) {
    visit.config += static_cast<int>(configs);
    run.visits.push_back(visit);
  }
  EXPECT_THAT(warnings(run), Contains(StartsWith("4 complete blocks: a proof")));
  std::erase_if(run.visits, [&](const schema::Visit& visit) {
    return visit.block > 2 && visit.config >= static_cast<int>(configs);
  });
  EXPECT_THAT(warnings(run), Contains(StartsWith("bf16: 3 complete blocks:")));
}

TEST(Warnings, TellOfMissingVisits) {
  schema::RunFile run = clean_run();
  run.visits.pop_back();
  EXPECT_THAT(warnings(run), Contains(HasSubstr("has 11 of 12 visits.")));
}

TEST(Warnings, TellOfASearchInOneSentence) {
  schema::RunFile run = make_run({batch_sizes({1, 2, 4, 8}), affine(), 12, 8, quiet(), 1});
  std::erase_if(run.visits, [](const schema::Visit& visit) {
    return visit.config == 3 || (visit.config == 2 && visit.block > 1);
  });
  EXPECT_THAT(warnings(run), Contains(HasSubstr("was not measured")));
  run.header.origin = schema::Origin::tune;
  const auto found = warnings(run);
  EXPECT_THAT(found, Not(Contains(HasSubstr("was not measured"))));
  EXPECT_THAT(found, Not(Contains(HasSubstr("of 12 visits"))));
  EXPECT_THAT(found, Contains(HasSubstr("1 batch size has too few visits for the tests")));
}

TEST(Warnings, TellOfACutFileAndAnUnfinishedRun) {
  schema::RunFile run = clean_run();
  run.report.torn_last_line = true;
  run.report.unknown_types["fancy"] = 2;
  run.report.skipped = {"line 3: nonsense"};
  run.report.skipped_count = 1;
  run.end.reset();
  const auto found = warnings(run);
  EXPECT_THAT(found, Contains(HasSubstr("incomplete")));
  EXPECT_THAT(found, Contains(HasSubstr("\"fancy\"")));
  EXPECT_THAT(found, Contains(HasSubstr("line 3: nonsense")));
  EXPECT_THAT(found, Contains(HasSubstr(" --on-existing resume` continues it")));
}

TEST(Warnings, TellOfTooFewBlocks) {
  const auto with_blocks = [](int blocks) {
    return warnings(make_run({batch_sizes({1, 2}), affine(), blocks, 8, quiet(), 1}));
  };
  EXPECT_THAT(with_blocks(5), Contains(HasSubstr("5 complete blocks: a proof that a size is "
                                                 "slow needs 6, a proof that a split is faster "
                                                 "needs 12")));
}

TEST(Warnings, AskForNoBlocksThatAreThere) {
  for (const int blocks : {6, 7}) {
    const auto found = warnings(make_run({batch_sizes({1, 2}), affine(), blocks, 8, quiet(), 1}));
    EXPECT_THAT(found,
                Contains(HasSubstr("complete blocks: a proof that a split is faster needs 12")));
    EXPECT_THAT(found, Not(Contains(HasSubstr("is slow")))) << blocks;
  }
}

}  // namespace
}  // namespace batchscope::analyze
