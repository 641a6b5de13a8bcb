#include "batchscope/planning/arrivals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::planning {
namespace {

using ::testing::HasSubstr;

std::vector<double> gaps_of(const std::vector<Arrival>& arrivals) {
  std::vector<double> gaps;
  double before = 0;
  for (const Arrival& arrival : arrivals) {
    gaps.push_back(arrival.time_s - before);
    before = arrival.time_s;
  }
  return gaps;
}

TEST(Arrivals, PoissonGapsHaveTheMeanAndSpreadOfAnExponential) {
  const auto gaps = gaps_of(draw_arrivals({}, 40, 200'000, {}, 1));
  const double mean_s = stats::mean(gaps);
  EXPECT_NEAR(mean_s * 40, 1, 0.01);
  EXPECT_NEAR(std::sqrt(stats::variance(gaps)) / mean_s, 1, 0.02);
}

TEST(Arrivals, BurstsKeepTheMeanRateAndScatterMore) {
  const ArrivalProcess bursty{"bursty", BurstyArrivals{.factor = 5, .share = 0.1, .burst_s = 0.5}};
  const auto arrivals = draw_arrivals(bursty, 40, 400'000, {}, 1);
  EXPECT_NEAR(400'000 / arrivals.back().time_s, 40, 1.2);
  // The index of dispersion of the counts in windows of a second: 1 for Poisson.
  std::vector<double> counts(static_cast<std::size_t>(arrivals.back().time_s) + 1, 0);
  for (const Arrival& arrival : arrivals) counts[static_cast<std::size_t>(arrival.time_s)] += 1;
  EXPECT_GT(stats::variance(counts) / stats::mean(counts), 10);
}

TEST(Arrivals, AllRequestsMayComeInBursts) {
  const ArrivalProcess all{"bursty", BurstyArrivals{.factor = 4, .share = 0.25, .burst_s = 1}};
  EXPECT_NEAR(100'000 / draw_arrivals(all, 40, 100'000, {}, 3).back().time_s, 40, 2);
}

TEST(Arrivals, RecordedOnesAreSpreadAndRepeated) {
  const auto recorded = parse_recorded("# time length\n10.0 5\n10.5, 7\n12.0\t9  # last\n\n", "f");
  ASSERT_TRUE(recorded);
  EXPECT_DOUBLE_EQ(recorded->rate_per_s(), 1);
  const ArrivalProcess process{"file:f", *recorded};
  const auto arrivals = draw_arrivals(process, 2, 5, {100}, 1);
  const std::vector<double> times{0, 0.25, 1, 1.5, 1.75};
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_DOUBLE_EQ(arrivals[i].time_s, times[i]);
  EXPECT_EQ(arrivals[4].tokens, 7);
}

TEST(Arrivals, LengthsAreDrawnFromThoseGiven) {
  double sum = 0;
  for (const Arrival& arrival : draw_arrivals({}, 1, 10'000, {10, 20, 60}, 1)) {
    sum += static_cast<double>(arrival.tokens);
  }
  EXPECT_NEAR(sum / 10'000, 30, 1);
  EXPECT_EQ(draw_arrivals({}, 1, 1, {}, 1)[0].tokens, 1);
}

TEST(Arrivals, AreParsed) {
  ASSERT_TRUE(parse_arrivals("poisson"));
  const auto bursty = parse_arrivals("bursty(3, 20%, 500ms)");
  ASSERT_TRUE(bursty);
  const auto law = std::get<BurstyArrivals>(bursty->law);
  EXPECT_DOUBLE_EQ(law.factor, 3);
  EXPECT_DOUBLE_EQ(law.share, 0.2);
  EXPECT_DOUBLE_EQ(law.burst_s, 0.5);
  EXPECT_TRUE(parse_arrivals("bursty"));
  for (const char* wrong : {"", "regular", "bursty(", "bursty(4)", "bursty(1,10%,2s)",
                            "bursty(4,0,2s)", "bursty(4,10%,2)", "bursty(4,50%,2s)"}) {
    const auto refused = parse_arrivals(wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().kind, base::ErrorKind::usage);
  }
  EXPECT_EQ(parse_arrivals("file:/nowhere").error().kind, base::ErrorKind::input);
}

TEST(Arrivals, WrongRecordingsNameTheLine) {
  EXPECT_EQ(parse_recorded("1\nx\n", "f").error().where, "f:2");
  EXPECT_EQ(parse_recorded("2\n1\n", "f").error().where, "f:2");
  EXPECT_EQ(parse_recorded("1 2.5\n", "f").error().where, "f:1");
  EXPECT_FALSE(parse_recorded("1\n", "f"));
  EXPECT_FALSE(parse_recorded("1\n1\n", "f"));
  EXPECT_THAT(parse_recorded("1 5\n2\n", "f").error().what, HasSubstr("only some requests"));
}

}  // namespace
}  // namespace batchscope::planning
