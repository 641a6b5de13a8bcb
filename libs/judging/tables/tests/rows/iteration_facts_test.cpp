#include "rows/iteration_facts.hpp"

#include <gtest/gtest.h>

#include "batchscope/schema/visit.hpp"
#include "batchscope/tables/distribution.hpp"

namespace batchscope::tables {
namespace {

schema::Visit visit_of(std::vector<int64_t> samples_ms) {
  schema::Visit visit;
  for (const int64_t ms : samples_ms) visit.samples_ns.push_back(ms * 1'000'000);
  return visit;
}

ConfigData config_of(const std::vector<schema::Visit>& visits) {
  ConfigData data;
  for (const schema::Visit& visit : visits) data.visits.push_back({&visit, {visit.samples_ns}});
  return data;
}

TEST(IterationFacts, TokensAreThoseOfAMeanIteration) {
  std::vector<schema::Visit> visits{visit_of({10}), visit_of({10})};
  for (schema::Visit& visit : visits) visit.tokens = schema::Tokens{270, 360, 3};
  findings::ConfigRow row;
  row.config.shape.batch_size = 2;
  row.throughput_per_s = {200, stats::Interval{100, 400}};
  fill_iteration_facts(config_of(visits), row);
  ASSERT_TRUE(row.tokens);
  EXPECT_DOUBLE_EQ(row.tokens->real, 90);
  EXPECT_DOUBLE_EQ(row.tokens->padded, 120);
  EXPECT_DOUBLE_EQ(row.tokens->padding, 0.25);
  EXPECT_DOUBLE_EQ(row.tokens->real_per_s.value, 200 * 45);  // 45 tokens a sample
  EXPECT_DOUBLE_EQ(row.tokens->real_per_s.ci->high, 400 * 45);
}

TEST(IterationFacts, OneLengthHasNoPadding) {
  const std::vector<schema::Visit> visits{visit_of({10})};
  findings::ConfigRow row;
  fill_iteration_facts(config_of(visits), row);
  EXPECT_FALSE(row.tokens);
}

TEST(IterationFacts, PhasesAndOtherSumToTheMean) {
  std::vector<schema::Visit> visits{visit_of({10, 12}), visit_of({11, 15})};
  visits[0].phases = {{"forward", 16'000'000, std::nullopt, 2}, {"prepare", 8'000'000, {}, 4}};
  visits[1].phases = {{"forward", 20'000'000, std::nullopt, 2}, {"h2d", 2'000'000, 1'000'000, 2}};
  findings::ConfigRow row;
  fill_iteration_facts(config_of(visits), row);
  EXPECT_DOUBLE_EQ(row.time_mean_ms, 12);
  double sum = 0, share = 0;
  for (const findings::PhaseShare& phase : row.phases) {
    sum += phase.host_ms;
    share += phase.share;
  }
  EXPECT_DOUBLE_EQ(sum, row.time_mean_ms);
  EXPECT_DOUBLE_EQ(share, 1);
  EXPECT_DOUBLE_EQ(row.phases[0].host_ms, 9);
  EXPECT_DOUBLE_EQ(row.phases[1].device_ms.value(), 0.25);
  EXPECT_EQ(row.phases.back().name, "other");
  EXPECT_DOUBLE_EQ(row.prepare_ms.value(), 2);
}

TEST(IterationFacts, SeriesCountTheirIterations) {
  std::vector<schema::Visit> visits{visit_of({10}), visit_of({12})};
  for (schema::Visit& visit : visits) visit.iterations_per_sample = 5;
  findings::ConfigRow row;
  fill_iteration_facts(config_of(visits), row);
  EXPECT_EQ(row.n_iterations, 10);
  EXPECT_EQ(row.n, 2);
}

TEST(IterationFacts, MemoryIsTheLargestAndFragmentationFollows) {
  std::vector<schema::Visit> visits{visit_of({10}), visit_of({12})};
  visits[0].memory.peak_allocated_bytes = 60;
  visits[1].memory.peak_allocated_bytes = 50;
  visits[1].memory.peak_reserved_bytes = 100;
  findings::ConfigRow row;
  fill_iteration_facts(config_of(visits), row);
  EXPECT_EQ(row.memory.peak_allocated_bytes, 60);
  EXPECT_DOUBLE_EQ(row.fragmentation.value(), 0.4);
  EXPECT_FALSE(row.memory.peak_rss_bytes);
}

TEST(IterationFacts, FaultsAreAnIterationAndSystemTimeAShare) {
  std::vector<schema::Visit> visits{visit_of({10, 10}), visit_of({12, 12})};
  visits[0].usage.minor_faults = 30;
  visits[0].usage.user_ns = 300;
  visits[0].usage.system_ns = 100;
  findings::ConfigRow row;
  fill_iteration_facts(config_of(visits), row);
  EXPECT_DOUBLE_EQ(row.minor_faults_per_iteration.value(), 15);
  EXPECT_DOUBLE_EQ(row.system_time_share.value(), 0.25);
}

TEST(Distribution, LabelsOutliersAndKeepsThem) {
  const std::vector<schema::Visit> visits{visit_of({10, 10, 11, 11, 12, 12, 13, 40})};
  const findings::Distribution result = distribution_of(config_of(visits));
  EXPECT_EQ(result.max_ms, 40);
  EXPECT_EQ(result.extreme_outliers, 1);
  EXPECT_EQ(result.whisker_high_ms, 13);
  EXPECT_EQ(result.points_ms, (std::vector<double>{10, 40}));
}

// 1 in 3000 is slow, and stays 1 in 3000: what is drawn from them has the right mean and tail.
TEST(Distribution, KeepsEveryIterationOnce) {
  std::vector<schema::Visit> visits(6, visit_of(std::vector<int64_t>(500, 10)));
  visits[3].samples_ns[250] = 1'000'000'000;
  const findings::Distribution result = distribution_of(config_of(visits));
  ASSERT_EQ(result.samples_ms.size(), 3000u);
  EXPECT_EQ(result.samples_ms.front(), 10);
  EXPECT_EQ(result.samples_ms[2998], 10);
  EXPECT_EQ(result.samples_ms.back(), 1000);
}

TEST(Distribution, QuantilesNeedEnoughIndependentIterations) {
  std::vector<schema::Visit> alike(12, visit_of({10, 11, 12, 13}));
  for (std::size_t v = 0; v < alike.size(); ++v) alike[v].samples_ns[0] += static_cast<int64_t>(v);
  const findings::Distribution independent = distribution_of(config_of(alike));
  EXPECT_TRUE(independent.p90_ms);  // 48 >= 36
  EXPECT_FALSE(independent.p99_ms);

  // Iterations that repeat their visit's time are worth one each: 12, too few for a p90.
  std::vector<schema::Visit> clustered;
  for (int64_t v = 0; v < 12; ++v) clustered.push_back(visit_of({10 + v, 10 + v, 10 + v, 10 + v}));
  const findings::Distribution result = distribution_of(config_of(clustered));
  EXPECT_FALSE(result.p90_ms);
  ASSERT_TRUE(result.p50_ms);
  EXPECT_LE(result.p50_ms->ci->low, result.p50_ms->value);
}

TEST(Distribution, OneVisitHasNoQuantile) {
  const std::vector<schema::Visit> visits{visit_of(std::vector<int64_t>(500, 10))};
  EXPECT_FALSE(distribution_of(config_of(visits)).p50_ms);
}

}  // namespace
}  // namespace batchscope::tables
