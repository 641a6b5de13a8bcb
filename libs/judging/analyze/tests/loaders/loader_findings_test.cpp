#include <gmock/gmock.h>

#include <cmath>

#include "batchscope/analyze/analyze.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::analyze {
namespace {

using findings::Finding;
using findings::Severity;
using schema::LoaderFacts;
using tables::FakeRun;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr int64_t kMs = 1'000'000, kMiB = 1 << 20;

// Wait and step of an iteration, ms.
struct Loop {
  int workers = 0;
  double wait_ms = 0, step_ms = 0;
};

// As healthy as a loader can be.
LoaderFacts healthy(int workers) {
  LoaderFacts facts;
  facts.samples = 4096;
  facts.batch_bytes = kMiB;
  facts.first_batch_ns = 200 * kMs;
  facts.new_epoch_ns = 40 * kMs;
  facts.fetch_ns = 8 * kMs;
  facts.collate_ns = kMs;
  facts.typical_ns = 9 * kMs;
  facts.slow_ns = 11 * kMs;
  facts.cpu_ns = 9 * kMs;
  if (workers == 0) return facts;
  facts.handover_ns = kMs;
  facts.epoch_share = 1;
  for (int i = 0; i < workers; ++i) {
    facts.memory_begun.push_back({60 * kMiB, 30 * kMiB});
    facts.memory_ended.push_back({62 * kMiB, 32 * kMiB});
  }
  return facts;
}

schema::RunFile run_of(const std::vector<Loop>& loops,
                       const std::function<void(LoaderFacts&)>& change = {}) {
  FakeRun fake;
  fake.iterations = 20;
  for (const Loop& loop : loops) {
    schema::RunConfig config = tables::batch_sizes({32}).front();
    config.mode = schema::Mode::train;
    config.loader = schema::Loader{"python:data.py:text", loop.workers, 2};
    fake.configs.push_back(config);
  }
  const auto loop_of = [&](const schema::RunConfig& config) {
    return *std::ranges::find(loops, config.loader->workers, &Loop::workers);
  };
  fake.law = [&](const schema::RunConfig& config) {
    return (loop_of(config).wait_ms + loop_of(config).step_ms) * 1e6;
  };
  schema::RunFile run = tables::make_run(fake);
  for (schema::Visit& visit : run.visits) {
    const Loop loop = loop_of(run.configs[static_cast<std::size_t>(visit.config)]);
    visit.phases = {{"load", std::llround(loop.wait_ms * 20e6), {}, 20},
                    {"step", std::llround(loop.step_ms * 20e6), {}, 20}};
    visit.loader = healthy(loop.workers);
    if (change) change(*visit.loader);
  }
  return run;
}

findings::Summary loops_analyzed(const schema::RunFile& run) {
  return analyze(std::span(&run, 1));
}

std::vector<Finding> loader_findings_of(const schema::RunFile& run) {
  std::vector<Finding> found = loops_analyzed(run).findings;
  std::erase_if(found, [](const Finding& each) { return !each.id.starts_with("loader."); });
  return found;
}

std::vector<std::string> ids_of(const std::vector<Finding>& found) {
  std::vector<std::string> ids;
  for (const Finding& each : found) ids.push_back(each.id);
  return ids;
}

// The wait falls, and the iteration gets longer: what any tool that shows the wait alone would
// call a cure.
const std::vector<Loop> kPlanted = {{0, 8.7, 14.6}, {1, 3.9, 16.7}, {2, 3.5, 24.8}};

TEST(WorkerCounts, ThatWaitLessAreNotBetterForIt) {
  const auto summary = loops_analyzed(run_of(kPlanted));
  ASSERT_THAT(summary.recommendations, SizeIs(1));
  EXPECT_EQ(summary.recommendations[0].config.loader->workers, 1);
  EXPECT_FALSE(summary.recommendations[0].undecided);
  ASSERT_THAT(summary.loaders, SizeIs(3));
  EXPECT_NEAR(summary.loaders[2].iteration_ms.value, 28.3, 0.6);
  EXPECT_NEAR(summary.loaders[2].wait_ms, 3.5, 0.01);
  EXPECT_NEAR(summary.loaders[2].own_ms, 24.8, 0.6);
}

TEST(WorkerCounts, TooFewAndTooManyAreReportedWithTheirReason) {
  const auto found = loader_findings_of(run_of(kPlanted));
  ASSERT_THAT(ids_of(found), ElementsAre("loader.too-many-workers", "loader.too-few-workers"));
  EXPECT_EQ(config_of(found[0].where)->loader->workers, 2);
  EXPECT_EQ(found[0].severity, Severity::high);
  EXPECT_EQ(found[0].status, findings::Status::proven);
  EXPECT_NEAR(found[0].evidence.at(0).estimate.value, 28.3 / 20.6 - 1, 0.03);
  EXPECT_THAT(found[0].what, HasSubstr("it waits less for a batch"));
  EXPECT_THAT(found[0].fix, HasSubstr("num_workers=1"));
  EXPECT_EQ(config_of(found[1].where)->loader->workers, 0);
  EXPECT_NEAR(found[1].evidence.at(0).estimate.value, 23.3 / 20.6 - 1, 0.03);
  EXPECT_NEAR(found[1].gain->low, 1 - 20.6 / 23.3, 0.03);
}

TEST(WorkerCounts, ThatAreAlikeAreNot) {
  EXPECT_THAT(ids_of(loader_findings_of(run_of({{0, 4, 16}, {1, 4, 16}, {2, 4, 16}}))),
              ElementsAre());
}

std::vector<std::string> ids_with(const std::function<void(LoaderFacts&)>& change,
                                  double wait_ms = 10) {
  return ids_of(loader_findings_of(run_of({{2, wait_ms, 10}}, change)));
}

TEST(Loaders, ThatAreHealthyHaveNoFinding) {
  EXPECT_THAT(ids_with({}), ElementsAre());
}

TEST(Loaders, EachFaultHasItsFinding) {
  EXPECT_THAT(ids_with([](LoaderFacts& facts) { facts.collate_ns = 9 * kMs; }),
              ElementsAre("loader.slow-collate"));
  EXPECT_THAT(ids_with([](LoaderFacts& facts) { facts.slow_ns = 20 * kMs; }),
              ElementsAre("loader.uneven-samples"));
  EXPECT_THAT(ids_with([](LoaderFacts& facts) { facts.new_epoch_ns = 300 * kMs; }),
              ElementsAre("loader.startup-each-epoch"));
  EXPECT_THAT(ids_with([](LoaderFacts& facts) {
                facts.memory_ended = {{90 * kMiB, 107 * kMiB}, {90 * kMiB, 107 * kMiB}};
              }),
              ElementsAre("loader.copied-objects"));
  EXPECT_THAT(ids_with([](LoaderFacts& facts) {
                facts.copies = schema::BatchCopies{kMs, 2 * kMs, kMs};
              }),
              ElementsAre("loader.unpinned-copies"));
}

TEST(Loaders, ASlowCollateIsNoneWhereNothingWaits) {
  EXPECT_THAT(ids_with([](LoaderFacts& facts) { facts.collate_ns = 9 * kMs; }, 1), ElementsAre());
}

TEST(Loaders, ADataSetThatDiffersFromCallToCallIsReported) {
  int64_t samples = 4096;
  EXPECT_THAT(ids_with([&](LoaderFacts& facts) { facts.samples = --samples; }),
              Contains("loader.dataset-differs"));
  EXPECT_THAT(ids_with([](LoaderFacts& facts) { facts.samples.reset(); }),
              Not(Contains("loader.dataset-differs")));
}

TEST(Loaders, AMoreIntenseFaultIsGraver) {
  const auto severity = [](int64_t collate_ms) {
    return loader_findings_of(
               run_of({{2, 10, 10}},
                      [=](LoaderFacts& facts) { facts.collate_ns = collate_ms * kMs; }))
        .at(0)
        .severity;
  };
  EXPECT_EQ(severity(4), Severity::medium);
  EXPECT_EQ(severity(16), Severity::high);
}

TEST(LoaderRows, TellOfStepsBesideWhichTheyWereMeasured) {
  const auto summary = loops_analyzed(run_of({{2, 10, 10}}, [](LoaderFacts& facts) {
    facts.step_ns = 10 * kMs;
    facts.other_steps = {{5 * kMs, 20 * kMs, 15 * kMs, 40}, {20 * kMs, 22 * kMs, kMs, 40}};
  }));
  const auto& row = summary.loaders.at(0);
  ASSERT_THAT(row.steps, SizeIs(3));
  EXPECT_EQ(row.steps[0].step_ms, 5);
  EXPECT_EQ(row.steps[1].step_ms, 10);
  EXPECT_NEAR(row.steps[1].wait_ms.value, 10, 0.01);
  EXPECT_NEAR(row.steps[2].iteration_ms.value, 22, 1e-9);
  ASSERT_TRUE(row.shortest_step_ms);
  EXPECT_GT(row.shortest_step_ms->value, 10);
  EXPECT_LE(row.shortest_step_ms->value, 20);
}

}  // namespace
}  // namespace batchscope::analyze
