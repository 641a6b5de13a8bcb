#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/analyze/analyze.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::analyze {
namespace {

using tables::affine;
using tables::batch_sizes;
using tables::make_run;
using tables::quiet;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// 7, 9, 13, 21 ms at 1, 2, 4, 8, without noise unless asked for.
schema::RunFile sample_run(double visit_sd = 0) {
  return make_run({batch_sizes({1, 2, 4, 8}), affine(), 12, 3, {visit_sd, 0, 0, 0, 1}, 1});
}

findings::Recommendation recommended(const schema::RunFile& run, const Options& options = {}) {
  return analyze(std::span(&run, 1), options).recommendations.at(0);
}

Options within(double budget_ms) {
  Options options;
  options.latency_budget_s = budget_ms / 1e3;
  return options;
}

void set_memory(schema::RunFile& run, int64_t a_sample) {
  for (schema::Visit& visit : run.visits) {
    const auto& config = run.configs[static_cast<std::size_t>(visit.config)];
    auto& memory = visit.memory;
    (config.device == "cpu" ? memory.peak_rss_bytes : memory.peak_reserved_bytes) =
        a_sample * config.shape.batch_size * config.instances;
  }
}

std::vector<int64_t> left_out_for(const findings::Recommendation& pick,
                                  findings::LeftOutReason reason) {
  std::vector<int64_t> sizes;
  for (const findings::Exclusion& each : pick.left_out) {
    if (each.reason == reason) sizes.push_back(each.config.shape.batch_size);
  }
  return sizes;
}

TEST(Bounds, WithoutAnyNothingIsLeftOut) {
  const auto pick = recommended(sample_run());
  EXPECT_EQ(pick.objective, "throughput");
  EXPECT_EQ(pick.config.shape.batch_size, 8);
  EXPECT_TRUE(pick.feasible);
  EXPECT_THAT(pick.left_out, IsEmpty());
  EXPECT_THAT(pick.good_sizes, ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(pick.message, HasSubstr("Good sizes to round to: 1, 2, 4 and 8."));
}

TEST(Bounds, TheBestOfThoseWithinTheBudgetIsTaken) {
  const auto pick = recommended(sample_run(), within(15));
  EXPECT_EQ(pick.objective, "throughput with latency <= 15.0 ms");
  EXPECT_EQ(pick.config.shape.batch_size, 4);
  EXPECT_THAT(left_out_for(pick, findings::LeftOutReason::latency), ElementsAre(8));
  EXPECT_THAT(pick.good_sizes, ElementsAre(1, 2, 4));
  EXPECT_THAT(pick.message, HasSubstr("Excluded: batch 8 (upper end"));
  EXPECT_THAT(pick.message, HasSubstr("within the budget (15.0 ms)"));
  EXPECT_THAT(pick.message, Not(HasSubstr("not significantly better than batch 8")));
}

// Of 400 iterations of a size each tenth takes twice as long: 14, 18, 26 and 42 ms by p95.
schema::RunFile run_with_a_tail() {
  schema::RunFile run = make_run({batch_sizes({1, 2, 4, 8}), affine(), 10, 40, {0, 0, 0, 0, 1}, 1});
  for (schema::Visit& visit : run.visits) {
    for (std::size_t i = 5; i < visit.samples_ns.size(); i += 10) visit.samples_ns[i] *= 2;
  }
  return run;
}

TEST(Bounds, ThePercentileThatIsAskedForIsBounded) {
  schema::RunFile run = run_with_a_tail();
  Options options = within(20);
  EXPECT_EQ(recommended(run, options).config.shape.batch_size, 4) << "13 ms by p50";
  options.latency_of = schema::parse_latency_statistic("p95").value();
  const auto pick = recommended(run, options);
  EXPECT_EQ(pick.objective, "throughput with latency (p95) <= 20.0 ms");
  EXPECT_EQ(pick.config.shape.batch_size, 2);
  EXPECT_THAT(left_out_for(pick, findings::LeftOutReason::latency), ElementsAre(4, 8));
  options.latency_of = schema::LatencyStatistic::mean;  // 14.3 ms
  options.latency_budget_s = 14e-3;
  EXPECT_EQ(recommended(run, options).config.shape.batch_size, 2);
  run.header.plan.latency_of = *schema::parse_latency_statistic("p95");
  EXPECT_EQ(recommended(run, within(20)).config.shape.batch_size, 2) << "as the run asked";
}

TEST(Bounds, APercentileThatIsNotShownKeepsNoBudget) {
  const schema::RunFile run = run_with_a_tail();
  Options options = within(1000);
  options.latency_of = schema::parse_latency_statistic("p99.9").value();
  const auto pick = recommended(run, options);
  EXPECT_FALSE(pick.feasible);
  EXPECT_EQ(left_out_for(pick, findings::LeftOutReason::latency_unknown).size(), 4u);
  EXPECT_THAT(pick.message, Not(HasSubstr("inf")));
}

// How far a pick is from what the bounds rule out is said where it is known.
TEST(Bounds, AGainOverWhatIsLeftOutHasASign) {
  const auto law = [](const schema::RunConfig& config) {
    return 2e6 * static_cast<double>(config.shape.batch_size);
  };
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    schema::RunFile run = make_run({batch_sizes({1, 8}), law, 6, 3, {0.3, 0, 0, 0, 1}, seed});
    run.header.plan.current_batch_size = 8;
    const auto pick = recommended(run, within(10));
    EXPECT_EQ(pick.config.shape.batch_size, 1);
    const bool has_interval = pick.gain && pick.gain->ci;
    EXPECT_FALSE(has_interval && pick.gain->ci->low <= 0 && pick.gain->ci->high >= 0)
        << pick.message;
  }
}

TEST(Bounds, ATimeWhoseIntervalReachesBeyondTheBudgetIsNotWithinIt) {
  // About 13 ms with an interval of some percent each way.
  const auto pick = recommended(sample_run(0.05), within(13.1));
  EXPECT_EQ(pick.config.shape.batch_size, 2);
  EXPECT_THAT(left_out_for(pick, findings::LeftOutReason::latency), ElementsAre(4, 8));
}

TEST(Bounds, ThePlanOfTheRunSetsThemUnlessTheOptionsDo) {
  schema::RunFile run = sample_run();
  run.header.plan.latency_budget_s = 0.010;
  EXPECT_EQ(recommended(run).config.shape.batch_size, 2);
  EXPECT_EQ(recommended(run, within(15)).config.shape.batch_size, 4);
}

TEST(Bounds, NothingWithinThemIsStatedWithTheNearest) {
  const auto pick = recommended(sample_run(), within(5));
  EXPECT_FALSE(pick.feasible);
  EXPECT_EQ(pick.config.shape.batch_size, 1);
  EXPECT_FALSE(pick.gain);
  EXPECT_FALSE(pick.baseline) << "there is nothing to verify";
  EXPECT_EQ(left_out_for(pick, findings::LeftOutReason::latency).size(), 4u);
  EXPECT_THAT(pick.message, HasSubstr("Nothing measured meets latency <= 5.00 ms."));
  EXPECT_THAT(pick.message, HasSubstr("Nearest: batch 1 at 7.00 ms per batch"));
}

TEST(Bounds, MemoryIsThatOfAllInstances) {
  auto configs = batch_sizes({1, 2, 4});
  for (auto config : batch_sizes({1, 2, 4})) {
    config.instances = 2;
    configs.push_back(config);
  }
  schema::RunFile run = make_run({configs, affine(), 12, 3, quiet(), 1});
  set_memory(run, 1 << 20);
  Options options;
  options.memory_limit_bytes = 4 << 20;
  const auto pick = recommended(run, options);
  EXPECT_EQ(pick.objective, "throughput with memory <= 4.00 MiB");
  // 2 x 2 samples in 9 ms; 2 x 4 in 13 ms would be more, in 8 MiB.
  EXPECT_EQ(pick.config.instances, 2);
  EXPECT_EQ(pick.config.shape.batch_size, 2);
  EXPECT_THAT(left_out_for(pick, findings::LeftOutReason::memory), ElementsAre(4));
  EXPECT_THAT(pick.message, HasSubstr("with 2 instances"));
  EXPECT_THAT(pick.message, HasSubstr("1 of 6 configurations (peak memory"));
}

TEST(Bounds, TheAnswerSaysWhatThePickTakesAndWhatTheLimitLeftOut) {
  schema::RunFile run = sample_run();
  set_memory(run, 1 << 20);
  Options options;
  options.memory_limit_bytes = 5 << 20;
  const findings::Answer answer = analyze(std::span(&run, 1), options).answer;
  EXPECT_EQ(answer.config->shape.batch_size, 4);
  EXPECT_THAT(answer.sure, HasSubstr("4.00 MiB"));
  EXPECT_THAT(answer.sure, HasSubstr("batch 8"));
  EXPECT_THAT(analyze(std::span(&run, 1)).answer.sure, Not(HasSubstr("MiB")));
}

TEST(Bounds, MemoryThatIsNotKnownIsNoMemoryThatFits) {
  schema::RunFile run = sample_run();
  Options options;
  options.memory_limit_bytes = 4 << 20;
  const auto pick = recommended(run, options);
  EXPECT_FALSE(pick.feasible);
  EXPECT_EQ(left_out_for(pick, findings::LeftOutReason::memory_unknown).size(), 4u);
  EXPECT_THAT(pick.message, HasSubstr("memory unknown"));
}

TEST(Bounds, TheLimitOfAWorkerSaysNothingOfAGpu) {
  schema::RunFile run = sample_run();
  for (auto& config : run.configs) config.device = "cuda:0";
  set_memory(run, 1 << 20);
  run.header.plan.memory_limit_bytes = 4 << 20;
  EXPECT_EQ(recommended(run).config.shape.batch_size, 8);
  Options options;
  options.memory_limit_bytes = 4 << 20;
  EXPECT_EQ(recommended(run, options).config.shape.batch_size, 4);
}

TEST(CurrentSize, IsWhatTheGainIsAgainst) {
  schema::RunFile run = sample_run();
  run.header.plan.current_batch_size = 4;
  const auto pick = recommended(run);
  ASSERT_TRUE(pick.gain);
  EXPECT_NEAR(pick.gain->value, 8.0 / 21 / (4.0 / 13) - 1, 1e-6);
  EXPECT_EQ(pick.gain_against, "batch_size 4");
  EXPECT_EQ(pick.baseline->shape.batch_size, 4);
  EXPECT_THAT(pick.message, HasSubstr("more throughput than batch 4"));
}

TEST(CurrentSize, IsInTheFirstSettingOfTheRun) {
  auto configs = batch_sizes({1, 2});
  for (auto config : batch_sizes({1, 2})) {
    config.instances = 2;
    configs.push_back(config);
  }
  const schema::RunFile run = make_run({configs, affine(), 12, 3, quiet(), 1});
  Options options;
  options.current_batch_size = 2;
  const auto pick = recommended(run, options);
  EXPECT_EQ(pick.config.instances, 2);
  EXPECT_NEAR(pick.gain->value, 1.0, 1e-6) << "twice as many samples in the same time";
  EXPECT_EQ(pick.gain_against, "batch_size 2 with 1 instance");
  EXPECT_THAT(pick.message, HasSubstr("than batch 2 with 1 instance"));
}

TEST(CurrentSize, ThatIsTheBestHasNothingToGain) {
  Options options;
  options.current_batch_size = 8;
  EXPECT_FALSE(recommended(sample_run(), options).gain);
}

TEST(CurrentSize, ThatWasNotMeasuredIsStated) {
  const schema::RunFile run = sample_run();
  Options options;
  options.current_batch_size = 3;
  const findings::Summary summary = analyze(std::span(&run, 1), options);
  EXPECT_THAT(summary.warnings, testing::Contains(HasSubstr("Batch 3, the current size")));
  EXPECT_EQ(summary.recommendations.at(0).gain_against, "batch_size 1");
}

}  // namespace
}  // namespace batchscope::analyze
