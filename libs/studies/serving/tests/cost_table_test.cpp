#include "batchscope/serving/cost_table.hpp"

#include "testing/serving/tables.hpp"

namespace batchscope::serving {
namespace {

TEST(CostTable, DrawsTheMeasuredTimesOfAMeasuredSize) {
  const auto table = CostTable::from_points(
      {{.batch_size = 1, .times_s = {0.3, 0.1, 0.2}}, {.batch_size = 2, .times_s = {0.4}}}, "t");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->sample_s(1, 1, 0.0), 0.1);
  EXPECT_EQ(table->sample_s(1, 1, 0.34), 0.2);
  EXPECT_EQ(table->sample_s(1, 1, 0.999), 0.3);
  EXPECT_DOUBLE_EQ(table->mean_s(1, 1), 0.2);
  EXPECT_EQ(table->match(1, 1), Match::measured);
}

TEST(CostTable, BetweenMeasuredSizesAnAffineLawIsExact) {
  const CostTable table = affine_table(0.002, 0.020, {1, 64});
  const BatchCosts costs(table, 64);
  for (int64_t b = 1; b <= 64; ++b) {
    const double expected = 0.020 + 0.002 * static_cast<double>(b);
    EXPECT_NEAR(table.mean_s(b, 1), expected, 1e-12) << b;
    EXPECT_NEAR(table.sample_s(b, 1, 0.5), expected, 1e-12) << b;
    EXPECT_NEAR(costs(b, 1), expected, 1e-12) << b;
  }
  EXPECT_EQ(table.match(2, 1), Match::interpolated);
}

// Each quantile from the same quantile on either side, so that their mean is that of the means.
TEST(CostTable, BetweenMeasuredSizesTimesScatterAsTheirNeighboursDo) {
  const auto table = *CostTable::from_points(
      {{.batch_size = 2, .times_s = {0.010, 0.030}}, {.batch_size = 6, .times_s = {0.050, 0.090}}},
      "t");
  EXPECT_NEAR(table.sample_s(3, 1, 0.2), 0.020, 1e-12);
  EXPECT_NEAR(table.sample_s(3, 1, 0.8), 0.045, 1e-12);
  EXPECT_NEAR(table.mean_s(3, 1), 0.0325, 1e-12);
}

// t0 + b (s / 100 + (s / 100)^2): at every length affine in the batch, and bent upwards in s.
TEST(CostTable, BetweenLengthsItStaysAffineInTheBatchAndErrsOnTheSlowSide) {
  const auto law = [](int64_t b, int64_t s) {
    const double x = static_cast<double>(s) / 100;
    return 0.5 + static_cast<double>(b) * (x + x * x);
  };
  std::vector<CostPoint> points;
  for (const int64_t b : {1, 9}) {
    for (const int64_t s : {50, 200}) {
      points.push_back({.batch_size = b, .seq_len = s, .times_s = {law(b, s)}});
    }
  }
  const auto table = *CostTable::from_points(points, "t");
  const double step = (table.mean_s(9, 120) - table.mean_s(1, 120)) / 8;
  for (int64_t b = 1; b <= 9; ++b) {
    EXPECT_NEAR(table.mean_s(b, 120), table.mean_s(1, 120) + step * static_cast<double>(b - 1),
                1e-12);
    EXPECT_GE(table.mean_s(b, 120), law(b, 120));
  }
}

TEST(CostTable, BeyondTheLargestItGrowsInProportionAndSaysSo) {
  const CostTable table = affine_table(0.01, 0.005, {2, 4});
  EXPECT_NEAR(table.mean_s(8, 1), 2 * 0.045, 1e-12);
  EXPECT_EQ(table.match(8, 1), Match::beyond);
  // Below the smallest: padded up to it.
  EXPECT_NEAR(table.mean_s(1, 1), 0.025, 1e-12);
  EXPECT_EQ(table.match(1, 1), Match::smaller);
}

TEST(CostTable, LengthsAreASecondAxis) {
  const CostTable table = length_table({1, 2, 4}, {16, 64});
  EXPECT_NEAR(table.mean_s(2, 16), length_law(2, 16), 1e-12);
  EXPECT_NEAR(table.mean_s(2, 32), length_law(2, 32), 1e-12);
  EXPECT_NEAR(table.mean_s(2, 128), 2 * length_law(2, 64), 1e-12);
  EXPECT_NEAR(table.mean_s(2, 8), length_law(2, 16), 1e-12);
  EXPECT_EQ(table.match(2, 64), Match::measured);
  EXPECT_EQ(table.match(3, 64), Match::interpolated);
  EXPECT_EQ(table.match(2, 32), Match::interpolated);
  EXPECT_EQ(table.match(2, 8), Match::smaller);
  EXPECT_EQ(table.match(3, 8), Match::smaller);
  EXPECT_EQ(table.match(2, 128), Match::beyond);
  EXPECT_EQ(table.match(8, 16), Match::beyond);
}

TEST(CostTable, RefusesWhatItCannotGrowFrom) {
  const auto single = CostTable::from_points({{.batch_size = 4, .times_s = {0.1}}}, "run.jsonl");
  ASSERT_FALSE(single);
  EXPECT_EQ(single.error().kind, base::ErrorKind::input);
  EXPECT_EQ(single.error().where, "run.jsonl");
  EXPECT_THAT(single.error().what, HasSubstr("only batch 4"));
  EXPECT_FALSE(CostTable::from_points({}, "t"));
  EXPECT_FALSE(CostTable::from_points(
      {{.batch_size = 1, .times_s = {0.1}}, {.batch_size = 2, .times_s = {}}}, "t"));
  EXPECT_FALSE(CostTable::from_points(
      {{.batch_size = 1, .times_s = {0.1}}, {.batch_size = 2, .seq_len = 8, .times_s = {0.1}}},
      "t"));
}

TEST(CostTable, FindsTheFastestBatchByItsMean) {
  const auto table = CostTable::from_points({{.batch_size = 1, .times_s = {0.02}},
                                             {.batch_size = 2, .times_s = {0.03}},
                                             {.batch_size = 4, .times_s = {0.09}}},
                                            "t");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->fastest_batch(1, 4), 2);
}

TEST(BatchCosts, AreTheMeansOfTheTableRoundedUpInLength) {
  const CostTable table = length_table({1, 2, 4}, {16, 64, 256});
  const BatchCosts costs(table, 4);
  for (int64_t count = 1; count <= 4; ++count) {
    for (const int64_t tokens : {1, 15, 16, 17, 63, 64, 100, 255, 256}) {
      EXPECT_GE(costs(count, tokens), table.mean_s(count, tokens) * (1 - 1e-12));
      EXPECT_LE(costs(count, tokens), table.mean_s(count, tokens + 1) * (1 + 1e-12));
    }
    EXPECT_NEAR(costs(count, 512), table.mean_s(count, 512), 1e-12);
  }
  EXPECT_NEAR(BatchCosts(affine_table(0.01, 0.005, {1, 2}), 2)(2, 99), 0.025, 1e-12);
}

}  // namespace
}  // namespace batchscope::serving
