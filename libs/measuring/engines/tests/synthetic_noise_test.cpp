// What misleads an analysis: each is there, is what it says, and follows from the seed.
#include "synthetic/synthetic_noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "batchscope/engine/abilities.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "synthetic/synthetic_preemption.hpp"

namespace batchscope::engines {
namespace {

constexpr char kQuiet[] = "affine:5ms,2ms;process_sd=0;visit_sd=0;iteration_sd=0;warmup=0";

SyntheticSpec spec_of(const std::string& options) {
  auto spec = parse_synthetic(std::string(kQuiet) + ";" + options);
  EXPECT_TRUE(spec) << (spec ? "" : base::to_string(spec.error()));
  return spec ? *std::move(spec) : SyntheticSpec{};
}

// The factor of iteration `index` of visit `number`, a process of its own each.
double factor(const SyntheticSpec& spec, int64_t number, int64_t batch_size = 1, uint64_t seed = 1,
              int index = 0) {
  const engine::VisitContext context{seed, number, number};
  VisitNoise noise(spec, context, batch_size, process_effect(spec, context), 0);
  return noise.factor(index, 0);
}

std::vector<double> logs(const SyntheticSpec& spec, int64_t visits, int64_t batch_size = 1) {
  std::vector<double> values;
  for (int64_t number = 0; number < visits; ++number) {
    values.push_back(std::log(factor(spec, number, batch_size)));
  }
  return values;
}

double share_above(const std::vector<double>& values, double limit) {
  const auto above =
      std::count_if(values.begin(), values.end(), [=](double value) { return value > limit; });
  return static_cast<double>(above) / static_cast<double>(values.size());
}

// Of each value with the next.
double autocorrelation(const std::vector<double>& values) {
  const double mean = stats::mean(values);
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += std::pow(values[i] - mean, 2);
    if (i > 0) products += (values[i] - mean) * (values[i - 1] - mean);
  }
  return products / squares;
}

TEST(SyntheticNoise, ModesAreKeptByAProcessForItsLife) {
  const SyntheticSpec spec = spec_of("modes=0.3:1.4");
  const auto values = logs(spec, 4000);
  EXPECT_NEAR(share_above(values, 0.1), 0.3, 0.03);
  for (const double value : values) {
    EXPECT_TRUE(std::abs(value) < 1e-12 || std::abs(value - std::log(1.4)) < 1e-12) << value;
  }
  const engine::VisitContext first{1, 7, 0}, later{1, 7, 5};
  EXPECT_EQ(process_effect(spec, first), process_effect(spec, later));
  EXPECT_EQ(logs(spec, 100), logs(spec, 100));
}

TEST(SyntheticNoise, ModesOfOneSizeLeaveTheOthersAlone) {
  const SyntheticSpec spec = spec_of("modes=0.5:1.3:8");
  EXPECT_NEAR(share_above(logs(spec, 2000, 8), 0.1), 0.5, 0.04);
  EXPECT_EQ(share_above(logs(spec, 500, 4), 0), 0);
}

TEST(SyntheticNoise, TwoKindsOfModesAreDrawnApart) {
  const auto values = logs(spec_of("modes=0.5:2;modes=0.5:4"), 4000);
  EXPECT_NEAR(share_above(values, std::log(7.0)), 0.25, 0.03) << "both";
  EXPECT_NEAR(share_above(values, std::log(1.5)), 0.75, 0.03) << "one of them or both";
}

TEST(SyntheticNoise, SomeProcessesHaveSlowIterations) {
  const SyntheticSpec spec = spec_of("slow_iteration=3:5;slow_processes=0.3");
  const auto third = [&](int64_t process) {
    return VisitNoise(spec, {1, process, 3}, 2, 0, 0).factor(2, 0);
  };
  int slow = 0;
  for (int64_t process = 0; process < 2000; ++process) slow += third(process) > 4 ? 1 : 0;
  EXPECT_NEAR(slow / 2000.0, 0.3, 0.04);
  EXPECT_EQ(third(7), third(7));
  const SyntheticSpec random = spec_of("slow_at_random=0.1:5");
  VisitNoise noise(random, {1, 3, 3}, 2, 0, 0);
  int at_random = 0;
  for (int i = 0; i < 4000; ++i) at_random += noise.factor(i, 0) > 4 ? 1 : 0;
  EXPECT_NEAR(at_random / 4000.0, 0.1, 0.02);
}

TEST(SyntheticNoise, AProcessSettlesByTheClock) {
  const SyntheticSpec settling = spec_of("settling=10ms:1.3");
  VisitNoise noise(settling, {1, 3, 3}, 2, 0, 0);
  EXPECT_DOUBLE_EQ(noise.factor(0, 500'000'000), 1.3);
  EXPECT_DOUBLE_EQ(noise.factor(7, 509'000'000), 1.3);
  EXPECT_DOUBLE_EQ(noise.factor(8, 511'000'000), 1);
  EXPECT_DOUBLE_EQ(
      VisitNoise(spec_of("slow_start=0:2:1.5;slow_start=4:1:2"), {1, 3, 3}, 2, 0, 0).factor(1, 0),
      1.5);
  EXPECT_DOUBLE_EQ(
      VisitNoise(spec_of("slow_start=0:2:1.5;slow_start=4:1:2"), {1, 3, 3}, 4, 0, 0).factor(1, 0),
      1);
}

TEST(SyntheticNoise, CarryOverHitsTheVisitAfterThatSize) {
  const SyntheticSpec spec = spec_of("carry_over=16:1.4");
  engine::VisitContext context{1, 3, 3};
  const auto after = [&](int64_t previous) {
    context.previous_batch_size = previous;
    return VisitNoise(spec, context, 2, 0, 0).factor(0, 0);
  };
  EXPECT_DOUBLE_EQ(after(16), 1.4);
  EXPECT_DOUBLE_EQ(after(8), 1);
  EXPECT_DOUBLE_EQ(after(0), 1);
}

TEST(SyntheticNoise, AStepStays) {
  const SyntheticSpec spec = spec_of("step=48:1.1;step=60:1.5");
  EXPECT_DOUBLE_EQ(factor(spec, 47), 1);
  EXPECT_DOUBLE_EQ(factor(spec, 48), 1.1);
  EXPECT_DOUBLE_EQ(factor(spec, 200), 1.1 * 1.5);
}

TEST(SyntheticNoise, AutocorrelatedVisitsFollowTheOneBefore) {
  const auto values = logs(spec_of("autocorrelated=0.02:0.8"), 4000);
  EXPECT_NEAR(std::sqrt(stats::variance(values)), 0.02, 0.002);
  EXPECT_NEAR(autocorrelation(values), 0.8, 0.05);
  EXPECT_NEAR(autocorrelation(logs(spec_of("autocorrelated=0.02:0"), 4000)), 0, 0.05);
}

TEST(SyntheticNoise, ARunHasAFactorOfItsOwn) {
  const SyntheticSpec spec = spec_of("run_sd=0.05");
  EXPECT_EQ(factor(spec, 0), factor(spec, 99));
  std::vector<double> runs;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    runs.push_back(std::log(factor(spec, 0, 1, seed)));
  }
  EXPECT_NEAR(std::sqrt(stats::variance(runs)), 0.05, 0.005);
  EXPECT_NEAR(stats::mean(runs), 0, 0.005);
}

TEST(SyntheticNoise, HeavyTailsAreThoseOfStudentsT) {
  const auto values = logs(spec_of("visit_sd=0.01;visit_df=3"), 20'000);
  // P(|t| > 5.841) = 1 % with three degrees of freedom; of a normal draw it is 5e-9.
  EXPECT_NEAR(share_above(values, 0.05841), 0.005, 0.002);
  EXPECT_NEAR(share_above(values, 0), 0.5, 0.02);
  EXPECT_NEAR(share_above(values, 0.00765), 0.25, 0.02);
}

TEST(SyntheticNoise, EachSoManiethIterationIsSlow) {
  const SyntheticSpec spec = spec_of("slow_iteration=3:2");
  for (int index = 0; index < 9; ++index) {
    EXPECT_DOUBLE_EQ(factor(spec, 0, 1, 1, index), index % 3 == 2 ? 2 : 1) << index;
  }
}

TEST(SyntheticNoise, ASlowStartIsThatOfOneSize) {
  const SyntheticSpec spec = spec_of("slow_start=6:10:1.3");
  EXPECT_DOUBLE_EQ(factor(spec, 0, 6, 1, 0), 1.3);
  EXPECT_DOUBLE_EQ(factor(spec, 0, 6, 1, 9), 1.3);
  EXPECT_DOUBLE_EQ(factor(spec, 0, 6, 1, 10), 1);
  EXPECT_DOUBLE_EQ(factor(spec, 0, 4, 1, 0), 1);
}

TEST(SyntheticNoise, WhatSettlesDiesAway) {
  const SyntheticSpec spec = spec_of("settles=6:10:1.3");
  EXPECT_DOUBLE_EQ(factor(spec, 0, 6, 1, 0), 1.3);
  EXPECT_DOUBLE_EQ(factor(spec, 0, 6, 1, 20), 1 + 0.3 * std::exp(-2));
  EXPECT_DOUBLE_EQ(factor(spec, 0, 4, 1, 0), 1);
}

// The waits of `iterations` of `running_ns` each.
std::vector<double> waits(const std::string& options, double running_ns, int iterations,
                          int64_t number = 0) {
  Preemption preemption(spec_of(options).preemption, {1, number, number}, 0);
  std::vector<double> all;
  for (int i = 0; i < iterations; ++i) all.push_back(preemption.wait_ns(running_ns));
  return all;
}

TEST(Preemption, ShortIterationsMostlyRunUndisturbedAndLongOnesNever) {
  const auto brief = waits("preempt=3ms:2", 1e6, 3000);
  EXPECT_NEAR(share_above(brief, 0), 1.0 / 3, 0.01);
  EXPECT_EQ(*std::max_element(brief.begin(), brief.end()), 6e6);
  const auto lengthy = waits("preempt=3ms:2", 10e6, 100);
  EXPECT_GE(*std::min_element(lengthy.begin(), lengthy.end()), 18e6);
  const double sum = std::accumulate(lengthy.begin(), lengthy.end(), 0.0);
  EXPECT_NEAR(sum, 2 * 100 * 10e6, 6e6) << "as long again for each of the others";
}

TEST(Preemption, BeginsAnywhereInASliceAndFollowsTheSeed) {
  int hit = 0;
  for (int64_t number = 0; number < 3000; ++number) {
    hit += waits("preempt=4ms:1", 1e6, 1, number)[0] > 0 ? 1 : 0;
  }
  EXPECT_NEAR(hit / 3000.0, 0.25, 0.03);
  EXPECT_EQ(waits("preempt=3ms:2:0.5", 1e6, 50), waits("preempt=3ms:2:0.5", 1e6, 50));
}

TEST(Preemption, IsAsLikelyAsItIsStated) {
  EXPECT_NEAR(share_above(waits("preempt=3ms:2:0.5", 3e6, 4000), 0), 0.5, 0.03);
  EXPECT_EQ(share_above(waits("preempt=3ms:2:0", 3e6, 100), 0), 0);
  EXPECT_EQ(share_above(waits("spike=0", 3e9, 10), 0), 0) << "without others";
}

TEST(Preemption, TheVisitTellsWhatItWaited) {
  const auto engine = make_synthetic_engine(1);
  engine::ModelSpec model_spec;
  model_spec.name = std::string(kQuiet) + ";preempt=3ms:2";
  auto model = engine->load(model_spec, {});
  ASSERT_TRUE(model);
  auto batch = (*model)->prepare({4, std::nullopt});
  ASSERT_TRUE(batch);
  class : public engine::PhaseSink {
    void phase(std::string_view, int64_t, std::optional<int64_t>) override {}
  } sink;
  const auto run = [&](int iterations) {
    const int64_t start = engine->clock().now_ns();
    for (int i = 0; i < iterations; ++i) EXPECT_TRUE((*model)->run(**batch, sink));
    return engine->clock().now_ns() - start;
  };
  run(2);  // the warm-up
  (*model)->reset_memory_peaks();
  const int64_t time = run(10);
  const auto usage = (*model)->as<engine::ImaginesUsage>()->virtual_usage();
  ASSERT_TRUE(usage);
  EXPECT_EQ(time - usage->wait_ns.value_or(0), 10 * 13'000'000);
  EXPECT_EQ(usage->wait_max_thread_ns, usage->wait_ns);
  EXPECT_FALSE(usage->minor_faults);
}

}  // namespace
}  // namespace batchscope::engines
