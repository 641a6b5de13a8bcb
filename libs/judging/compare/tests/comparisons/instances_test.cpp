#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compared_runs.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::compare {
namespace {

using tables::affine;
using tables::batch_sizes;
using tables::make_run;
using testing::HasSubstr;

std::vector<schema::RunConfig> with_instances(const std::vector<int64_t>& sizes, int instances,
                                              int threads) {
  auto configs = batch_sizes(sizes);
  for (auto& config : configs) {
    config.instances = instances;
    config.threads = threads;
  }
  return configs;
}

std::vector<findings::Comparison> compared(std::vector<schema::RunConfig> configs,
                                           const std::vector<schema::RunConfig>& more,
                                           double slower) {
  configs.insert(configs.end(), more.begin(), more.end());
  const auto law = [slower](const schema::RunConfig& config) {
    return affine()(config) * (config.instances > 1 ? slower : 1);
  };
  const schema::RunFile run = make_run({configs, law, 12, 3, {0.01, 0, 0, 0, 1}, 5});
  return compared_run(run).comparisons;
}

TEST(Instances, AsManySamplesAtOnceAreCompared) {
  // 2 x 4 samples in 1.2 x 13 ms against 8 in 21 ms.
  const auto comparisons =
      compared(with_instances({2, 4, 8}, 1, 2), with_instances({1, 2, 4}, 2, 1), 1.2);
  ASSERT_EQ(comparisons.size(), 3u);
  const findings::Comparison& last = comparisons[2];
  EXPECT_EQ(last.axis, "instances");
  EXPECT_EQ(last.base, "1");
  EXPECT_EQ(last.other, "2");
  EXPECT_EQ(last.config.shape.batch_size, 8);
  ASSERT_TRUE(last.other_config);
  EXPECT_EQ(last.other_config->shape.batch_size, 4);
  EXPECT_NEAR(last.ratio.value, 15.6 / 21, 0.02);
  EXPECT_TRUE(last.significant);
  EXPECT_EQ(last.n, 12);
  EXPECT_THAT(last.message, HasSubstr("2 instances of 1 thread at batch 4 process 3"));
  EXPECT_THAT(last.message,
              HasSubstr("% more samples per second than 1 instance of 2 threads at batch 8"));
  EXPECT_THAT(last.message, HasSubstr("; a batch takes 15."));
}

// As a search makes them, which asks for the next setting when it has the last.
TEST(Instances, WithoutACommonBlockNothingIsCompared) {
  std::vector<schema::RunConfig> configs = with_instances({4}, 1, 2);
  configs.push_back(with_instances({4}, 2, 2).front());
  schema::RunFile run = make_run({configs, affine(), 6, 3, {0.01, 0, 0, 0, 1}, 5});
  ASSERT_EQ(compared_run(run).comparisons.size(), 1u);
  for (schema::Visit& visit : run.visits) visit.block += visit.config == 1 ? 6 : 0;
  EXPECT_TRUE(compared_run(run).comparisons.empty());
}

TEST(Instances, FewerSamplesASecondAreCalledThat) {
  const auto comparisons = compared(with_instances({4, 8}, 1, 2), with_instances({4}, 2, 1), 2);
  ASSERT_EQ(comparisons.size(), 1u);
  EXPECT_NEAR(comparisons[0].ratio.value, 26.0 / 21, 0.03);
  EXPECT_THAT(comparisons[0].message, HasSubstr("% fewer samples per second than"));
}

TEST(Instances, WithoutSuchSizesTheSameBatchIsCompared) {
  const auto comparisons = compared(with_instances({4}, 1, 1), with_instances({4}, 2, 1), 1.5);
  ASSERT_EQ(comparisons.size(), 1u);
  // Twice the samples in 1.5 times the time.
  EXPECT_NEAR(comparisons[0].ratio.value, 0.75, 0.02);
  ASSERT_TRUE(comparisons[0].ratio.ci);
  EXPECT_LT(comparisons[0].ratio.ci->low, 0.75);
  EXPECT_GT(comparisons[0].ratio.ci->high, 0.75);
  EXPECT_THAT(comparisons[0].message, HasSubstr("2 instances at batch 4 process 3"));
}

TEST(Instances, OfAsManyCoresInAllComesBeforeAsManyEach) {
  auto one = with_instances({4}, 1, 1);
  const auto wide = with_instances({4}, 1, 2);
  one.insert(one.end(), wide.begin(), wide.end());
  const auto comparisons = compared(one, with_instances({2}, 2, 1), 1);
  const auto found = std::find_if(comparisons.begin(), comparisons.end(),
                                  [](const auto& each) { return each.axis == "instances"; });
  ASSERT_NE(found, comparisons.end());
  EXPECT_EQ(found->config.threads, 2);
}

}  // namespace
}  // namespace batchscope::compare
