#include "batchscope/advice/comparison.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace batchscope::advice {
namespace {

using attribution::StepSource;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

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
  const TraceComparison mixed = compare_traces({with_steps(StepSource::recorded, 10, 100'000)},
                                               {with_steps(StepSource::inferred, 40, 25'000)});
  EXPECT_FALSE(mixed.by_step);
  EXPECT_EQ(mixed.wall.difference_ns(), 0);
  EXPECT_THAT(mixed.message, HasSubstr("One side has recorded steps, the other inferred ones"));
  EXPECT_TRUE(compare_traces({with_steps(StepSource::recorded, 10, 100'000)},
                             {with_steps(StepSource::named, 20, 50'000)})
                  .by_step);
}

TEST(Comparison, CountsEveryDevice) {
  TraceSummary before = with_steps(attribution::StepSource::none, 0, 0);
  before.attribution.devices.push_back(before.attribution.devices.front());
  TraceSummary after = before;
  after.attribution.devices.back().parts[attribution::Part::compute] = 200'000;
  after.attribution.devices.back().parts[attribution::Part::host] = 800'000;
  const TraceComparison comparison = compare_traces({before}, {after});
  EXPECT_EQ(comparison.parts[static_cast<size_t>(attribution::Part::compute)].difference_ns(),
            -400'000);
  EXPECT_THAT(comparison.message, HasSubstr("means over 2 devices"));
  EXPECT_THAT(comparison.message, HasSubstr("full recordings"));
}

// Steps of these milliseconds, one after another.
TraceSummary of_steps(const std::vector<int64_t>& lengths, bool has_device = true) {
  TraceSummary summary = with_steps(StepSource::recorded, 0, 0);
  int64_t at = 0;
  for (const int64_t length : lengths) {
    attribution::Step step;
    step.start_ns = at;
    at += 1'000'000 * length;
    step.end_ns = at;
    if (has_device) step.devices.emplace_back()[attribution::Part::compute] = 1'000'000 * length;
    summary.attribution.steps.push_back(step);
  }
  if (has_device) return summary;
  summary.attribution.devices.clear();
  summary.host.emplace();
  for (const attribution::Step& step : summary.attribution.steps) {
    attribution::HostStep& own = summary.host->steps.emplace_back();
    own.wall_ns = step.wall_ns();
    own.parts[attribution::HostPart::loading] = step.wall_ns() / 2;
    own.parts[attribution::HostPart::forward] = step.wall_ns() / 2;
  }
  return summary;
}

TEST(Comparison, IsOfTheMedianStepWithoutTheEdges) {
  const TraceComparison last_is_long = compare_traces({of_steps({150, 150, 150, 150, 150, 150})},
                                                      {of_steps({120, 120, 120, 120, 120, 204})});
  EXPECT_EQ(last_is_long.wall.before_ns, 150'000'000);
  EXPECT_EQ(last_is_long.wall.after_ns, 120'000'000);
  EXPECT_EQ(last_is_long.steps_shorter, 5);
  EXPECT_EQ(last_is_long.interval, std::nullopt);
  EXPECT_THAT(last_is_long.message, HasSubstr("5 of 6 steps are shorter"));
  const TraceComparison few = compare_traces({of_steps({100, 10, 30})}, {of_steps({7, 9, 50, 70})});
  EXPECT_EQ(few.wall.before_ns, 30'000'000) << "of three steps all count";
  EXPECT_EQ(few.wall.after_ns, 29'500'000) << "between the two in the middle";
}

TEST(Comparison, OneStepIsNoFigure) {
  const TraceComparison comparison = compare_traces({of_steps({30, 30, 30})}, {of_steps({25})});
  EXPECT_THAT(comparison.message,
              StartsWith("25.0 ms in the one step after, 30.0 ms per step before"));
  EXPECT_THAT(comparison.message, HasSubstr("One step is too few samples"));
  EXPECT_THAT(comparison.message, Not(HasSubstr("median")));
}

TEST(Comparison, StepsFarOutAndTotalsThatContradictAreStated) {
  const TraceComparison comparison = compare_traces({of_steps({30, 30, 30, 30, 30, 30, 30, 30})},
                                                    {of_steps({25, 25, 25, 25, 200, 25, 25, 25})});
  EXPECT_EQ(comparison.wall.after_ns, 25'000'000);
  EXPECT_EQ(comparison.mean.after_ns, 46'875'000);
  EXPECT_THAT(comparison.message, HasSubstr("Of the 8 steps after, number 5 takes 200 ms."));
  EXPECT_THAT(comparison.message, HasSubstr("together take 375 ms instead of 240 ms"));
}

TEST(Comparison, AMedianThatNoStepTakesIsCalledSo) {
  const TraceComparison comparison = compare_traces({of_steps({30, 30, 30, 30, 30, 30, 30, 30})},
                                                    {of_steps({30, 60, 30, 60, 30, 60, 30, 60})});
  EXPECT_EQ(comparison.steps_longer, 4) << "those that take as long are not longer";
  EXPECT_EQ(comparison.steps_shorter, 0);
  EXPECT_THAT(comparison.message, HasSubstr("4 of 8 steps are longer"));
  EXPECT_THAT(comparison.message, HasSubstr("4 take at most 30.0 ms and 4 at least 60.0 ms"));
}

TEST(Comparison, CountsDevicesOfARecording) {
  TraceSummary one = of_steps({10, 10});
  one.devices = {{0, "NVIDIA A100"}};
  EXPECT_TRUE(compare_traces({one, one, one}, {one, one}).differences.empty());
  TraceSummary second = one;
  one.rank = 0;
  second.rank = 1;
  EXPECT_THAT(compare_traces({one, second, one, second}, {one, one}).differences,
              ElementsAre("2 x NVIDIA A100 before, NVIDIA A100 after", "2 ranks before, 1 after"));
}

TEST(Comparison, OfTheHostAloneIsOfStepsAndLoading) {
  TraceSummary before = of_steps({53, 55, 124, 66, 68, 57}, false);
  TraceSummary after = of_steps({14, 16, 26, 5, 18, 35}, false);
  attribution::Total add;
  add.name = "aten::add_";
  add.in_steps_ns = 6'000'000;
  before.operators = {add};
  const TraceComparison comparison = compare_traces({before}, {after});
  EXPECT_TRUE(comparison.of_host);
  EXPECT_EQ(comparison.wall.before_ns, 67'000'000);
  EXPECT_EQ(comparison.wall.after_ns, 17'000'000);
  EXPECT_EQ(comparison.steps_shorter, 6);
  ASSERT_EQ(comparison.parts.size(), attribution::kHostParts);
  EXPECT_EQ(comparison.parts[0].name, "loading");
  EXPECT_EQ(comparison.parts[0].difference_ns(), -25'000'000);
  ASSERT_EQ(comparison.operators.size(), 1U);
  EXPECT_EQ(comparison.operators[0].before_ns, 1'000'000);
  EXPECT_TRUE(comparison.kernels.empty());
}

TEST(Comparison, OfADeviceWithTheHostAloneIsOfStepsOnly) {
  const TraceComparison comparison =
      compare_traces({of_steps({10, 10}, false)}, {of_steps({5, 5})});
  EXPECT_TRUE(comparison.of_host);
  EXPECT_EQ(comparison.wall.difference_ns(), -5'000'000);
  EXPECT_THAT(comparison.message, HasSubstr("There is no device before"));
}

TEST(Comparison, SaysFirstWhatDiffersBesideTheProgram) {
  TraceSummary before = of_steps({10, 10});
  TraceSummary after = of_steps({5, 5});
  before.devices = {{0, "Tesla V100"}};
  after.devices = {{0, "NVIDIA H100"}};
  before.settings = {{"cuda_driver_version", "12040"}, {"with_stack", "1"}};
  after.settings = {{"cuda_driver_version", "12090"}};
  before.world_size = 1;
  after.world_size = 8;
  const TraceComparison comparison = compare_traces({before}, {after});
  EXPECT_THAT(comparison.differences,
              ElementsAre("Tesla V100 before, NVIDIA H100 after",
                          "CUDA driver 12.4 before, 12.9 after", "1 ranks before, 8 after"));
  EXPECT_THAT(comparison.message,
              StartsWith("The recordings differ in more than the program: Tesla"));
  EXPECT_TRUE(compare_traces({before}, {before}).differences.empty());
}

TEST(Comparison, SeveralRecordingsASideGiveAnInterval) {
  const std::vector<TraceSummary> before{of_steps({100, 100}), of_steps({104, 104}),
                                         of_steps({96, 96})};
  const std::vector<TraceSummary> after{of_steps({80, 80}), of_steps({82, 82}), of_steps({78, 78})};
  const TraceComparison shorter = compare_traces(before, after);
  ASSERT_TRUE(shorter.interval);
  EXPECT_TRUE(shorter.interval->contains(-0.2));
  EXPECT_LT(shorter.interval->high, 0);
  EXPECT_EQ(shorter.recordings_after, 3);
  EXPECT_THAT(compare_traces(before, before).message, HasSubstr("no significant difference"));
  // Files of different ranks are one recording.
  std::vector<TraceSummary> ranks = before;
  for (size_t i = 0; i < ranks.size(); ++i) ranks[i].rank = static_cast<int>(i);
  EXPECT_EQ(compare_traces(ranks, ranks).recordings_before, 1);
}

// A finding that promises to win half, of a part that is not there after.
TraceSummary that_loads() {
  TraceSummary summary = of_steps({100, 100});
  for (attribution::Step& step : summary.attribution.steps) {
    step.devices[0][attribution::Part::compute] /= 2;
    step.devices[0][attribution::Part::data_loading] = 50'000'000;
  }
  summary.attribution.devices[0].parts = summary.attribution.steps[0].devices[0];
  summary.kinds = {trace::ActivityKind::range};
  findings::Finding finding;
  finding.id = "trace.data-loading";
  finding.gain = stats::Interval{0.25, 0.5};
  summary.findings = {finding};
  return summary;
}

TEST(Comparison, OnlyWhatWasRecordedAlikeIsGone) {
  TraceSummary after = of_steps({50, 50});
  after.kinds = {trace::ActivityKind::range};
  EXPECT_EQ(compare_traces({that_loads()}, {after}).predictions.size(), 1U);
  after.kinds = {trace::ActivityKind::kernel};
  EXPECT_TRUE(compare_traces({that_loads()}, {after}).predictions.empty());
  after.kinds = {trace::ActivityKind::range};
  after.attribution.lost.launches = 100;
  after.attribution.lost.lost = 40;
  EXPECT_TRUE(compare_traces({that_loads()}, {after}).predictions.empty());
  EXPECT_THAT(compare_traces({that_loads()}, {after}).differences,
              ElementsAre("the work of 0 % of the launches is missing before, of 40 % after"));
  after.attribution.lost = {};
  after.read.profiler = "Nsight Systems";
  EXPECT_TRUE(compare_traces({that_loads()}, {after}).predictions.empty());
}

}  // namespace
}  // namespace batchscope::advice
