#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/analyze/analyze.hpp"
#include "fake_run.hpp"

namespace batchscope::analyze {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<schema::Recommendation> all_recommended(const FakeRun& fake) {
  const schema::RunFile run = make_run(fake);
  return analyze(std::span(&run, 1)).recommendations;
}

schema::Recommendation recommended(const FakeRun& fake) {
  return all_recommended(fake).at(0);
}

TEST(Recommend, TakesTheBestWithItsGain) {
  const auto pick = recommended({batch_sizes({1, 2, 4, 8}), affine({{8, 2.0}}), 12, 3, quiet(), 1});
  EXPECT_EQ(pick.config.shape.batch_size, 4);
  EXPECT_NEAR(pick.throughput_per_s, 4 / 0.013, 0.1);
  EXPECT_NEAR(pick.latency_ms, 13, 1e-3);
  ASSERT_TRUE(pick.gain);
  EXPECT_NEAR(pick.gain->value, 4 / 0.013 / (1 / 0.007) - 1, 1e-3);
  EXPECT_EQ(pick.gain_against, "batch_size 1");
  EXPECT_EQ(pick.points_measured, 4);
  EXPECT_TRUE(pick.ties.empty());
}

TEST(Recommend, TiesGoToTheSmallerBatchAndSaySo) {
  const auto flat = [](const schema::RunConfig& config) {
    return 1e6 * static_cast<double>(config.shape.batch_size);
  };
  const auto pick = recommended({batch_sizes({1, 2, 4}), flat, 12, 3, {0.005, 0, 0, 0, 1}, 2});
  EXPECT_EQ(pick.config.shape.batch_size, 1);
  EXPECT_THAT(pick.ties, ElementsAre(2, 4));
  EXPECT_THAT(pick.message, HasSubstr("the smaller batch is taken"));
  EXPECT_FALSE(pick.gain);
}

TEST(Recommend, NoisySizesThatAreClearlyWorseOnAverageAreNoTie) {
  // 5 % apart under noise that hides it: not told apart, but not given away either.
  const auto pick =
      recommended({batch_sizes({1, 2}), affine({{1, 1.0}, {2, 1.4}}), 12, 3, {0.3, 0, 0, 0, 1}, 6});
  EXPECT_TRUE(pick.ties.empty() || pick.config.shape.batch_size == 1);
}

TEST(Recommend, OtherSequenceLengthsDoNotCompete) {
  auto configs = batch_sizes({1, 2});
  for (auto& config : configs) config.shape.seq_len = 128;
  for (auto config : batch_sizes({1, 2})) {
    config.shape.seq_len = 8;
    configs.push_back(config);
  }
  const auto law = [](const schema::RunConfig& config) {
    return affine()(config) * static_cast<double>(*config.shape.seq_len);
  };
  const auto picks = all_recommended({configs, law, 12, 3, quiet(), 1});
  ASSERT_EQ(picks.size(), 2U);
  EXPECT_EQ(picks[0].config.shape.seq_len, 128);
  EXPECT_EQ(picks[1].config.shape.seq_len, 8);
  EXPECT_THAT(picks[1].message, StartsWith("For 8 tokens, use batch 2: "));
  EXPECT_EQ(picks[1].points_measured, 2);
  EXPECT_EQ(picks[1].points_total, 2);
}

TEST(Recommend, EachModelHasItsOwn) {
  auto configs = batch_sizes({1, 2});
  for (auto config : batch_sizes({1, 2})) {
    config.model = "other";
    configs.push_back(config);
  }
  const auto law = [](const schema::RunConfig& config) {
    return config.model == "other" ? 1e6 * std::pow(4.0, config.shape.batch_size)
                                   : affine()(config);
  };
  const auto picks = all_recommended({configs, law, 12, 3, quiet(), 1});
  ASSERT_EQ(picks.size(), 2U);
  EXPECT_THAT(picks[0].message, StartsWith("For " + configs[0].model + ", use batch 2: "));
  EXPECT_THAT(picks[1].message, StartsWith("For other, use batch 1: "));
}

TEST(Recommend, OtherPrecisionsDo) {
  auto configs = batch_sizes({1, 2});
  for (auto config : batch_sizes({1, 2})) {
    config.precision = schema::Precision::bf16;
    configs.push_back(config);
  }
  const auto law = [](const schema::RunConfig& config) {
    return affine()(config) * (config.precision == schema::Precision::bf16 ? 0.5 : 1.0);
  };
  const auto picks = all_recommended({configs, law, 12, 3, quiet(), 1});
  ASSERT_EQ(picks.size(), 1U);
  EXPECT_EQ(picks[0].config.precision, schema::Precision::bf16);
  EXPECT_THAT(picks[0].message, StartsWith("Use batch 2 with bf16: "));
}

}  // namespace
}  // namespace batchscope::analyze
