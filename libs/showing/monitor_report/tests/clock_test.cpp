#include "series/clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "series/series.hpp"

namespace batchscope::monitor_report {
namespace {

std::vector<int64_t> even_times(size_t count, int64_t distance = 1000) {
  std::vector<int64_t> times(count);
  for (size_t i = 0; i < count; ++i) times[i] = 5'000'000 + static_cast<int64_t>(i) * distance;
  return times;
}

size_t reported_rows(const TimeAxis& clock) {
  return static_cast<size_t>(std::count_if(clock.rows.begin(), clock.rows.end(),
                                           [](const Row& row) { return !row.is_gap(); }));
}

TEST(TimeAxis, OfFewReadingsHasARowForEach) {
  const auto times = even_times(1000);
  const TimeAxis clock = time_axis_of(times);
  ASSERT_EQ(clock.rows.size(), 1000U);
  EXPECT_EQ(clock.most, 1U);
  EXPECT_EQ(clock.gaps, 0U);
  for (size_t i = 0; i < 1000; ++i) EXPECT_EQ(clock.rows[i].time_ns, times[i]);
}

TEST(TimeAxis, OfOneReadingOrNoneIsFull) {
  EXPECT_TRUE(time_axis_of({}).rows.empty());
  EXPECT_EQ(time_axis_of(even_times(1)).rows.size(), 1U);
  EXPECT_EQ(time_axis_of(std::vector<int64_t>{7, 7, 7}).rows.size(), 3U);
}

TEST(TimeAxis, ASilenceIsAGapAndALateReadingIsNone) {
  std::vector<int64_t> times = even_times(100);
  for (size_t i = 50; i < 100; ++i) times[i] += 4'000;
  EXPECT_EQ(time_axis_of(times).gaps, 0U) << "five distances are late";
  for (size_t i = 50; i < 100; ++i) times[i] += 1;
  const TimeAxis clock = time_axis_of(times);
  EXPECT_EQ(clock.gaps, 1U);
  EXPECT_EQ(clock.longest_gap_ns, 5'001);
  ASSERT_EQ(clock.rows.size(), 101U);
  EXPECT_TRUE(clock.rows[50].is_gap());
  EXPECT_GT(clock.rows[50].time_ns, times[49]);
  EXPECT_LT(clock.rows[50].time_ns, times[50]);
}

TEST(TimeAxis, LongTimesDoNotOverflow) {
  const std::vector<int64_t> times{0, 1, std::numeric_limits<int64_t>::max()};
  EXPECT_EQ(reported_rows(time_axis_of(times)), 3U);
}

class AnyTimes : public ::testing::TestWithParam<uint32_t> {};

// Against all readings one by one: each is in one row, in their order, and no row is too long.
TEST_P(AnyTimes, EveryReadingIsInOneRow) {
  std::mt19937 random(GetParam());
  const size_t count = 1 + random() % 20'000, most_rows = 1 + random() % 300;
  std::vector<int64_t> times(count);
  int64_t at = 0;
  for (int64_t& time : times) {
    at += random() % 100 == 0 ? 100'000 : 900 + static_cast<int64_t>(random() % 200);
    time = at;
  }
  const TimeAxis clock = time_axis_of(times, most_rows);
  EXPECT_EQ(clock.most, (count + most_rows - 1) / most_rows);
  EXPECT_LE(reported_rows(clock), most_rows + clock.gaps);
  EXPECT_LE(clock.gaps, std::max(count > most_rows ? most_rows : count, size_t{1}));
  size_t next = 0;
  for (const Row& row : clock.rows) {
    EXPECT_EQ(row.first, next);
    next = row.last;
    EXPECT_LE(row.last - row.first, clock.most);
  }
  EXPECT_EQ(next, count);
}

TEST_P(AnyTimes, NoPeakIsLeftOut) {
  std::mt19937 random(GetParam());
  const size_t count = 2000 + random() % 50'000;
  std::vector<std::optional<double>> values(count);
  for (auto& value : values) {
    if (random() % 10 != 0) value = static_cast<double>(random() % 1000);
  }
  values[random() % count] = 1e6;
  values[random() % count] = std::numeric_limits<double>::quiet_NaN();
  const TimeAxis clock = time_axis_of(even_times(count));
  EXPECT_LE(clock.rows.size(), kMostRows);
  const Series line{"", 0, min_mean_max_of(clock, [&](size_t i) { return values[i]; })};
  for (size_t row = 0; row < clock.rows.size(); ++row) {
    double low = 1e300, high = -1e300, sum = 0;
    size_t reported = 0;
    for (size_t i = clock.rows[row].first; i < clock.rows[row].last; ++i) {
      if (!values[i] || std::isnan(*values[i])) continue;
      low = std::min(low, *values[i]);
      high = std::max(high, *values[i]);
      sum += *values[i];
      ++reported;
    }
    ASSERT_EQ(line.spreads[row].count, reported);
    if (reported == 0) continue;
    EXPECT_EQ(line.spreads[row].low, low);
    EXPECT_EQ(line.spreads[row].high, high);
    EXPECT_NEAR(line.spreads[row].mean(), sum / static_cast<double>(reported), 1e-6);
  }
  EXPECT_EQ(line.all().high, 1e6);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyTimes, ::testing::Range(1U, 21U));

}  // namespace
}  // namespace batchscope::monitor_report
