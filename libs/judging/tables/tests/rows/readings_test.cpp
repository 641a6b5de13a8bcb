#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/rng.hpp"
#include "batchscope/tables/run_view.hpp"
#include "batchscope/tables/tables.hpp"
#include "claims/claims.hpp"

namespace batchscope::tables {
namespace {

constexpr double kMs = 1e6;
constexpr double kSliceMs = 4;

struct Crowd {
  bool hits = true;       // every slice of work is followed by one of somebody else's
  bool recorded = false;  // the visits say how long they waited
};

// A model with the same work for every sample, beside a process that takes every other slice of
// 4 ms: half of the iterations shorter than a slice see nothing of it, all longer ones do.
schema::RunFile flat_run(const Crowd& crowd, double anomaly = 1) {
  stats::Rng rng(3);
  schema::RunFile run;
  run.end = schema::End{schema::EndReason::blocks_done, 10, 8};
  for (const int64_t size : {1, 2, 4, 8, 16, 32}) {
    schema::RunConfig config;
    config.engine = "fake";
    config.model = "m";
    config.shape.batch_size = size;
    run.configs.push_back(config);
  }
  for (int block = 0; block < 12; ++block) {
    for (std::size_t config = 0; config < run.configs.size(); ++config) {
      const auto size = static_cast<double>(run.configs[config].shape.batch_size);
      const double work = size * (size == 4 ? anomaly : 1) * std::exp(0.01 * rng.normal());
      schema::Visit visit;
      visit.config = static_cast<int>(config);
      visit.block = block;
      double waited = 0, since = kSliceMs * rng.uniform();
      for (int i = 0; i < 64; ++i) {
        const double slices = crowd.hits ? std::floor((since + work) / kSliceMs) : 0;
        since = std::fmod(since + work, kSliceMs);
        waited += slices * kSliceMs;
        visit.samples_ns.push_back(std::llround((work + slices * kSliceMs) * kMs));
      }
      if (crowd.recorded) {
        visit.usage.wait_ns = std::llround(waited * kMs);
        visit.usage.wait_max_thread_ns = visit.usage.wait_ns;
      }
      run.visits.push_back(visit);
    }
  }
  return run;
}

std::vector<findings::Finding> found_in(const schema::RunFile& run) {
  return tables_of(view_run(run), {}).findings;
}

int proven(const schema::RunFile& run) {
  int count = 0;
  for (const auto& finding : found_in(run)) count += finding.status == findings::Status::proven;
  return count;
}

TEST(Readings, MediansAloneWouldCallLongIterationsSlow) {
  const schema::RunFile run = flat_run({});
  RunView view = view_run(run);
  view.groups.front().readings.clear();
  const auto claims = test_claims(view, {}).front();
  bool any = claims.departure_proven;
  for (const TestedDominance& tested : claims.dominance) any |= tested.proven;
  EXPECT_TRUE(any) << "else the next test shows nothing";
}

TEST(Readings, AClaimHasToHoldForMeans) {
  const schema::RunFile run = flat_run({});
  EXPECT_EQ(proven(run), 0);
  bool printed = false;
  for (const auto& finding : found_in(run)) {
    printed |= finding.what.find("by the mean iteration") != std::string::npos;
  }
  EXPECT_TRUE(printed) << "a suspicion says what it fails";
}

TEST(Readings, TheWaitForAProcessorIsTakenOut) {
  const schema::RunFile run = flat_run({true, true});
  const RunView view = view_run(run);
  ASSERT_EQ(view.groups.front().readings.size(), 4u);
  const BlockTable& rest = view.groups.front().readings[3].winsorized;
  for (const auto& block : rest.blocks) EXPECT_NEAR(block[5] - block[0], std::log(32), 0.07);
}

// Batch 4 takes 30 % less in the first 40 of 64 iterations, then as long as it should.
TEST(Readings, WhatPassesWithinAVisitIsNoClaim) {
  schema::RunFile run = flat_run({false, false});
  for (schema::Visit& visit : run.visits) {
    if (visit.config != 2) continue;
    for (std::size_t i = 0; i < 40; ++i) visit.samples_ns[i] = visit.samples_ns[i] * 7 / 10;
  }
  const RunView view = view_run(run);
  const RobustnessCheck& late = view.groups.front().readings.at(1);
  EXPECT_EQ(late.words, "in the later half of its visits");
  for (const auto& block : late.winsorized.blocks)
    EXPECT_NEAR(block[2] - block[0], std::log(4), 0.06);
  EXPECT_EQ(proven(run), 0);
}

TEST(Readings, WhatIsReallyOddStaysProven) {
  EXPECT_GE(proven(flat_run({false, false}, 1.25)), 1);
}

}  // namespace
}  // namespace batchscope::tables
