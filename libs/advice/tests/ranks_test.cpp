#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "batchscope/advice/comparison.hpp"
#include "batchscope/advice/job.hpp"

namespace batchscope::advice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Of a wall of 1 ms, with collectives that last so many microseconds; they end together.
TraceSummary rank_of(std::optional<int> number, const std::vector<int64_t>& lengths) {
  TraceSummary summary;
  summary.rank = number;
  attribution::DeviceTime device;
  device.end_ns = 1'000'000;
  device.parts[attribution::Part::compute] = 1'000'000;
  summary.attribution.devices = {device};
  int64_t end = 0;
  for (const int64_t length : lengths) {
    end += 100'000;
    summary.collectives.push_back({"all_reduce", end - 1000 * length, end, 0, 1000 * length});
  }
  return summary;
}

// Rank 1 is last in two of three, rank 0 in the other.
TEST(Ranks, OnlyTheCollectivesThatOneComesToLastAreWaitedForIt) {
  const JobSummary job = compare_ranks({rank_of(0, {60, 70, 10}), rank_of(1, {10, 20, 90})});
  ASSERT_EQ(job.findings.size(), 1U);
  EXPECT_THAT(job.findings.front().what,
              HasSubstr("wait for rank 1 for 10 % of their time, in the 2 of 3 collectives"));
  EXPECT_NEAR(job.findings.front().gain->high, 0.1, 1e-9);
}

TEST(Ranks, WhatIsWaitedBehindKernelsCostsNothing) {
  TraceSummary hidden = rank_of(0, {90, 90, 90});
  for (attribution::Collective& each : hidden.collectives) each.exposed_ns = 1000;
  EXPECT_TRUE(compare_ranks({hidden, rank_of(1, {10, 10, 10})}).findings.empty());
}

TEST(Ranks, NumbersThatAreMissingOrTakenAreGivenOut) {
  const JobSummary job =
      compare_ranks({rank_of({}, {}), rank_of(1, {}), rank_of(1, {}), rank_of({}, {})});
  std::vector<int> numbers;
  for (const RankTimes& times : job.times) numbers.push_back(times.rank);
  EXPECT_THAT(numbers, ElementsAre(1, 0, 2, 3));
}

TraceSummary with_steps(attribution::StepSource source, size_t steps, int64_t length) {
  TraceSummary summary;
  attribution::DeviceTime device;
  device.end_ns = 1'000'000;
  device.parts[attribution::Part::compute] = 1'000'000;
  summary.attribution.devices = {device};
  summary.attribution.step_source = source;
  for (size_t i = 0; i < steps; ++i) {
    attribution::Step step;
    step.start_ns = static_cast<int64_t>(i) * length;
    step.end_ns = step.start_ns + length;
    step.devices.emplace_back()[attribution::Part::compute] = length;
    summary.attribution.steps.push_back(step);
  }
  return summary;
}

TEST(Comparison, RecordedStepsAreNotHeldAgainstInferredOnes) {
  using attribution::StepSource;
  const TraceComparison mixed = compare_traces(with_steps(StepSource::recorded, 10, 100'000),
                                               with_steps(StepSource::inferred, 40, 25'000));
  EXPECT_FALSE(mixed.by_step);
  EXPECT_EQ(mixed.wall.difference_ns(), 0);
  EXPECT_THAT(mixed.message,
              HasSubstr("of one side were recorded and those of the other inferred"));
  EXPECT_TRUE(compare_traces(with_steps(StepSource::recorded, 10, 100'000),
                             with_steps(StepSource::named, 20, 50'000))
                  .by_step);
}

TEST(Comparison, CountsEveryDevice) {
  TraceSummary before = with_steps(attribution::StepSource::none, 0, 0);
  before.attribution.devices.push_back(before.attribution.devices.front());
  TraceSummary after = before;
  after.attribution.devices.back().parts[attribution::Part::compute] = 200'000;
  after.attribution.devices.back().parts[attribution::Part::host] = 800'000;
  const TraceComparison comparison = compare_traces(before, after);
  EXPECT_EQ(comparison.parts[static_cast<size_t>(attribution::Part::compute)].difference_ns(),
            -400'000);
  EXPECT_THAT(comparison.message, HasSubstr("means over 2 devices"));
  EXPECT_THAT(comparison.message, HasSubstr("whole recordings"));
}

}  // namespace
}  // namespace batchscope::advice
