#include "loaders/step_lengths.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace batchscope::analyze {
namespace {

using findings::Estimate;
using findings::LoaderRow;
using findings::StepTime;
using ::testing::SizeIs;

constexpr double kScatter = 0.02;

StepTime measured(double step_ms, double iteration_ms, double wait_ms) {
  const auto estimate = [](double value) {
    return Estimate{value, stats::Interval{value * (1 - kScatter), value * (1 + kScatter)}};
  };
  return {step_ms, estimate(iteration_ms), estimate(wait_ms)};
}

// A loader that makes a batch every `period_ms` beside a step that sleeps.
double wait_beside(double step_ms, double period_ms, double handover_ms) {
  return std::max(handover_ms, period_ms - step_ms);
}

LoaderRow loop(double period_ms, double handover_ms = 0.5) {
  LoaderRow row;
  for (const double step_ms : {10.0, 20.0, 40.0}) {
    const double wait_ms = wait_beside(step_ms, period_ms, handover_ms);
    row.steps.push_back(measured(step_ms, step_ms + wait_ms, wait_ms));
  }
  row.between = between_lengths(row.steps);
  put_shortest_step(handover_ms, row);
  return row;
}

TEST(StepLengths, HoldWhatALoopTakesBetweenThem) {
  for (double period_ms = 5; period_ms < 60; period_ms += 0.5) {
    const LoaderRow row = loop(period_ms);
    ASSERT_THAT(row.between, SizeIs(25));
    for (const StepTime& each : row.between) {
      const double wait_ms = wait_beside(each.step_ms, period_ms, 0.5);
      EXPECT_TRUE(each.iteration_ms.ci->contains(each.step_ms + wait_ms))
          << period_ms << " " << each.step_ms;
      EXPECT_TRUE(each.wait_ms.ci->contains(wait_ms)) << period_ms << " " << each.step_ms;
      EXPECT_LT(each.iteration_ms.ci->half_width() / each.iteration_ms.value, 0.11)
          << period_ms << " " << each.step_ms;
    }
  }
}

TEST(StepLengths, AreWhatWasMeasuredWhereTheyWere) {
  const LoaderRow row = loop(15);
  EXPECT_EQ(row.between.front().step_ms, 10);
  EXPECT_NEAR(row.between.front().iteration_ms.value, 15, 1e-9);
  EXPECT_NEAR(row.between[12].step_ms, 20, 1e-9);
  EXPECT_NEAR(row.between[12].iteration_ms.value, 20.5, 1e-9);
  EXPECT_EQ(row.between.back().step_ms, 40);
}

TEST(StepLengths, AStepOfTheCpuThatWorkersSlowDownIsHeldToo) {
  // Beside the workers it takes 1.4 times as long as it is.
  const auto iteration = [](double step_ms) { return std::max(18.0, 1.4 * step_ms + 1); };
  std::vector<StepTime> steps;
  for (const double step_ms : {7.0, 14.0, 28.0}) {
    steps.push_back(measured(step_ms, iteration(step_ms), 1));
  }
  for (const StepTime& each : between_lengths(steps)) {
    EXPECT_TRUE(each.iteration_ms.ci->contains(iteration(each.step_ms))) << each.step_ms;
  }
}

TEST(ShortestStep, LiesWhereTheLoaderHasKeptUp) {
  for (double period_ms = 12; period_ms < 38; period_ms += 1) {
    const LoaderRow row = loop(period_ms);
    ASSERT_TRUE(row.shortest_step_ms) << period_ms;
    // Beside such a step the loop waits for 5 % beyond the hand-over.
    const double truth = (period_ms - 0.5) - 0.05 * period_ms;
    EXPECT_LE(row.shortest_step_ms->ci->low, truth * 1.06) << period_ms;
    EXPECT_GE(row.shortest_step_ms->ci->high, truth) << period_ms;
    EXPECT_FALSE(row.always_waits);
  }
}

TEST(ShortestStep, IsNoneWhereEveryStepWaitsOrNone) {
  EXPECT_FALSE(loop(5).shortest_step_ms);
  EXPECT_FALSE(loop(5).always_waits);
  EXPECT_FALSE(loop(80).shortest_step_ms);
  EXPECT_TRUE(loop(80).always_waits);
}

}  // namespace
}  // namespace batchscope::analyze
