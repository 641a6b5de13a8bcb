#include "batchscope/compare/trend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/schema/run_file.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::compare {
namespace {

using tables::affine;
using tables::batch_sizes;
using tables::FakeNoise;
using tables::make_run;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Runs of batches 1 and 4; the latter takes `factor` times as long from run `from` on.
std::vector<schema::RunFile> history(std::size_t n, std::size_t from, double factor) {
  std::vector<schema::RunFile> runs;
  for (std::size_t i = 0; i < n; ++i) {
    const double by = i < from ? 1.0 : factor;
    runs.push_back(make_run(
        {batch_sizes({1, 4}), affine({{4, by}}), 6, 3, FakeNoise{0.004, 0.002, 0, 0, 1}, i + 1}));
    runs.back().header.machine.cpu = "fast";
  }
  return runs;
}

findings::Trend trend(const std::vector<schema::RunFile>& runs) {
  std::vector<tables::RunView> views;
  std::vector<std::string> labels;
  for (const schema::RunFile& run : runs) {
    views.push_back(tables::view_run(run));
    labels.push_back("c" + std::to_string(labels.size()));
  }
  return trend_of(views, labels);
}

TEST(Trend, AStepIsFoundInTheSizeThatHasIt) {
  const findings::Trend found = trend(history(14, 7, 1.1));
  ASSERT_THAT(found.series, SizeIs(2));
  EXPECT_THAT(found.series[0].changes, IsEmpty());
  ASSERT_THAT(found.series[1].changes, SizeIs(1));
  const findings::TrendChange& change = found.series[1].changes[0];
  EXPECT_EQ(change.run, 7U);
  EXPECT_NEAR(change.ratio.value, 1.1, 0.01);
  EXPECT_THAT(change.message, HasSubstr("batch 4 takes 10 % more time"));
  EXPECT_THAT(change.message, HasSubstr("from c7 on"));
  EXPECT_THAT(found.message, testing::StartsWith("One significant change in 14 runs: batch 4"));
  ASSERT_THAT(found.series[1].levels, SizeIs(2));
  EXPECT_EQ(found.series[1].levels[0].last_run, 6U);
  EXPECT_NEAR(found.series[1].levels[1].ms / found.series[1].levels[0].ms, 1.1, 0.01);
}

TEST(Trend, WithoutAChangeItTellsWhatWouldHaveBeenFound) {
  const findings::Trend found = trend(history(12, 99, 1));
  EXPECT_THAT(
      found.message,
      HasSubstr("No significant change in 12 runs. The test has 80 % power to detect a step of "));
  ASSERT_TRUE(found.series[0].detectable);
  EXPECT_GT(*found.series[0].detectable, 0.002);
  EXPECT_LT(*found.series[0].detectable, 0.03);
}

TEST(Trend, FewRunsShowNothing) {
  const findings::Trend few = trend(history(10, 5, 1.5));
  EXPECT_THAT(few.message, HasSubstr("Too few runs to show a change: the test needs 11 of a "
                                     "configuration"))
      << "two sizes share the error rate";
  EXPECT_THAT(few.series[1].changes, IsEmpty());
  EXPECT_FALSE(few.series[1].detectable);
  EXPECT_THAT(trend(history(11, 5, 1.5)).series[1].changes, SizeIs(1));
  EXPECT_THAT(trend({}).message, HasSubstr("Too few runs to show a change: the test needs 10"));
}

// A run that is slow in everything, as on a day on which the machine was busy.
TEST(Trend, ABadRunIsNoChange) {
  std::vector<schema::RunFile> runs = history(14, 99, 1);
  for (schema::Visit& visit : runs[6].visits) {
    for (int64_t& sample : visit.samples_ns) sample = sample * 3 / 2;
  }
  for (const auto& series : trend(runs).series) EXPECT_THAT(series.changes, IsEmpty());
}

TEST(Trend, MachinesAreDistinguished) {
  std::vector<schema::RunFile> runs = history(12, 6, 1.5);
  for (std::size_t i = 6; i < 12; ++i) runs[i].header.machine.cpu = "slow";
  const findings::Trend found = trend(runs);
  EXPECT_THAT(found.series, SizeIs(4));
  for (const auto& series : found.series) EXPECT_THAT(series.changes, IsEmpty());
  EXPECT_EQ(found.series[0].machine, "fast");
  EXPECT_THAT(found.warnings, SizeIs(1));
}

TEST(Trend, ARunWithoutASizeLeavesItsPointOut) {
  std::vector<schema::RunFile> runs = history(8, 99, 1);
  std::erase_if(runs[3].visits, [](const schema::Visit& visit) { return visit.config == 1; });
  const findings::Trend found = trend(runs);
  ASSERT_THAT(found.series, SizeIs(2));
  EXPECT_THAT(found.series[1].points, SizeIs(7));
  EXPECT_EQ(found.series[1].points[3].run, 4U);
}

}  // namespace
}  // namespace batchscope::compare
