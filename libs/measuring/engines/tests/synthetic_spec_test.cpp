#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/engines/synthetic.hpp"

namespace batchscope::engines {
namespace {

SyntheticSpec parsed(std::string_view text) {
  auto spec = parse_synthetic(text);
  EXPECT_TRUE(spec) << (spec ? "" : base::to_string(spec.error()));
  return spec ? *spec : SyntheticSpec{};
}

double time(std::string_view text, int64_t batch_size) {
  const auto value = true_time_ns(parsed(text), batch_size);
  EXPECT_TRUE(value);
  return value.value_or(-1);
}

TEST(SyntheticSpec, LawsGiveTheirTimes) {
  EXPECT_DOUBLE_EQ(time("affine:5ms,2ms", 4), 13e6);
  EXPECT_DOUBLE_EQ(time("synthetic:affine:5ms,2ms", 4), 13e6);
  EXPECT_DOUBLE_EQ(time("roofline:2ms,1ms,1ms,2ms", 0), 2e6);
  EXPECT_DOUBLE_EQ(time("roofline:4ms,1ms,1ms,1500us", 1), 4e6);
  EXPECT_DOUBLE_EQ(time("roofline:1ms,1ms,1ms,1ms", 5), 6e6);
  EXPECT_DOUBLE_EQ(time("roofline:1ms,1ms,1ms,2ms", 5), 10e6);
  EXPECT_DOUBLE_EQ(time("staircase:1ms,2ms,8", 8), 3e6);
  EXPECT_DOUBLE_EQ(time("staircase:1ms,2ms,8", 9), 5e6);
  EXPECT_DOUBLE_EQ(time("table:1=50.3ms,2=140.09ms", 2), 140.09e6);
}

TEST(SyntheticSpec, AnAnomalyIsAtItsSizeOnly) {
  EXPECT_DOUBLE_EQ(time("affine:5ms,2ms;anomaly=4:1.1", 4), 13e6 * 1.1);
  EXPECT_DOUBLE_EQ(time("affine:5ms,2ms;anomaly=4:1.1;anomaly=2:0.9", 2), 9e6 * 0.9);
  EXPECT_DOUBLE_EQ(time("affine:5ms,2ms;anomaly=4:1.1", 8), 21e6);
}

TEST(SyntheticSpec, ReadsEveryOption) {
  const SyntheticSpec spec = parsed(
      "affine:5ms,2ms;process_sd=0.02;visit_sd=0.03;iteration_sd=0.04;spike=0.05:1.4;drift=0.06;"
      "burst=0.07:1.5:9;warmup=0.8;load=20ms;oom_above=64;throw_at=2;crash_at=4;hang_at=8;"
      "allocate=16MiB;real=1;per_token=64;contention=0.25");
  EXPECT_EQ(spec.process_sd, 0.02);
  EXPECT_EQ(spec.visit_sd, 0.03);
  EXPECT_EQ(spec.iteration_sd, 0.04);
  EXPECT_EQ(spec.spike_probability, 0.05);
  EXPECT_EQ(spec.spike_factor, 1.4);
  EXPECT_EQ(spec.drift_per_hour, 0.06);
  EXPECT_EQ(spec.burst_probability, 0.07);
  EXPECT_EQ(spec.burst_factor, 1.5);
  EXPECT_EQ(spec.burst_visits, 9);
  EXPECT_EQ(spec.warmup_excess, 0.8);
  EXPECT_EQ(spec.load_ns, 20e6);
  EXPECT_EQ(spec.oom_above, 64);
  EXPECT_EQ(spec.throw_at, 2);
  EXPECT_EQ(spec.crash_at, 4);
  EXPECT_EQ(spec.hang_at, 8);
  EXPECT_EQ(spec.allocate_bytes, 16 * 1024 * 1024);
  EXPECT_TRUE(spec.real);
  EXPECT_EQ(spec.per_token, 64);
  EXPECT_EQ(spec.contention, 0.25);
}

TEST(SyntheticSpec, ReadsWhatMisleads) {
  const SyntheticSpec spec = parsed(
      "affine:5ms,2ms;modes=0.2:1.16;modes=0.5:2:8;carry_over=16:1.4;step=48:1.1;"
      "autocorrelated=0.02:0.8;run_sd=0.03;visit_df=3;slow_iteration=7:2;slow_start=6:10:1.3;"
      "cache=16:1.3;preempt=3ms:2");
  ASSERT_EQ(spec.modes.size(), 2U);
  EXPECT_EQ(spec.modes[0].share, 0.2);
  EXPECT_EQ(spec.modes[0].factor, 1.16);
  EXPECT_FALSE(spec.modes[0].batch_size);
  EXPECT_EQ(spec.modes[1].batch_size, 8);
  EXPECT_EQ(spec.carry_over.at(16), 1.4);
  EXPECT_EQ(spec.steps.at(48), 1.1);
  EXPECT_EQ(spec.autocorrelation.sd, 0.02);
  EXPECT_EQ(spec.autocorrelation.rho, 0.8);
  EXPECT_EQ(spec.run_sd, 0.03);
  EXPECT_EQ(spec.visit_df, 3);
  EXPECT_EQ(spec.slow_iteration.at(7), 2);
  EXPECT_EQ(spec.slow_start.at(6).iterations, 10);
  EXPECT_EQ(spec.slow_start.at(6).factor, 1.3);
  EXPECT_EQ(spec.cache.octaves, 1);
  EXPECT_EQ(parsed("affine:5ms,2ms;cache=16:1.3:3").cache.octaves, 3);
  EXPECT_EQ(spec.preemption.slice_ns, 3e6);
  EXPECT_EQ(spec.preemption.others, 2);
  EXPECT_EQ(spec.preemption.probability, 1);
  EXPECT_EQ(parsed("affine:5ms,2ms;preempt=3ms:2:0.5").preemption.probability, 0.5);
}

TEST(SyntheticSpec, AStaircaseMayHaveWavesOfAFractionOfASample) {
  EXPECT_DOUBLE_EQ(time("staircase:1ms,2ms,2.67", 2), 3e6);
  EXPECT_DOUBLE_EQ(time("staircase:1ms,2ms,2.67", 3), 5e6);
  EXPECT_DOUBLE_EQ(time("staircase:1ms,2ms,2.67", 8), 7e6);
}

TEST(SyntheticSpec, ACacheStepIsSmooth) {
  const std::string law = "affine:0ms,1ms;cache=16:1.3";
  const auto a_sample = [&](int64_t size) { return time(law, size) / static_cast<double>(size); };
  EXPECT_NEAR(a_sample(1), 1e6, 1);
  EXPECT_NEAR(a_sample(16), std::sqrt(1.3) * 1e6, 1);
  EXPECT_NEAR(a_sample(1024), 1.3e6, 1);
  for (int64_t size = 1; size <= 512; ++size) {
    EXPECT_GE(a_sample(size + 1), a_sample(size) - 1);
    EXPECT_LE(a_sample(2 * size), 1.3 * a_sample(size));
  }
}

TEST(SyntheticSpec, MemoryIsALawOfItsOwn) {
  const SyntheticSpec spec = parsed("affine:5ms,2ms;memory=64MiB:4MiB:8;memory_train=3:1.5");
  constexpr int64_t kMiB = 1024 * 1024;
  EXPECT_EQ(true_memory_bytes(spec, 1, false, false), (64 + 8 * 4) * kMiB);
  EXPECT_EQ(true_memory_bytes(spec, 8, false, false), (64 + 8 * 4) * kMiB);
  EXPECT_EQ(true_memory_bytes(spec, 9, false, false), (64 + 16 * 4) * kMiB);
  EXPECT_EQ(true_memory_bytes(spec, 8, true, false), (64 + 3 * 8 * 4) * kMiB);
  EXPECT_EQ(true_memory_bytes(spec, 8, true, true), (64 + 8 * 6) * kMiB);
  const SyntheticSpec tokens = parsed("affine:5ms,2ms;per_token=64;memory=0:1MiB");
  EXPECT_EQ(true_memory_bytes(tokens, 3, false, false, 128), 6 * kMiB);
  EXPECT_EQ(true_memory_bytes(parsed("affine:5ms,2ms"), 3, true, false), 0);
  for (const char* wrong : {"memory=1MiB", "memory=1:2:0", "memory=x:1", "memory_train=a"}) {
    EXPECT_FALSE(parse_synthetic(std::string("affine:5ms,2ms;") + wrong)) << wrong;
  }
}

TEST(SyntheticSpec, ATableDoesNotInventSizes) {
  EXPECT_FALSE(true_time_ns(parsed("table:1=50ms"), 2));
}

class WrongSyntheticSpec : public testing::TestWithParam<const char*> {};

TEST_P(WrongSyntheticSpec, IsRefused) {
  const auto spec = parse_synthetic(GetParam());
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().kind, base::ErrorKind::usage);
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongSyntheticSpec,
    testing::Values("", "distilbert", "affine", "affine:5ms", "affine:5,2", "affine:5ms,2ms,1ms",
                    "staircase:1ms,2ms,0", "table:", "table:1", "affine:5ms,2ms;nonsense=1",
                    "affine:5ms,2ms;anomaly=4", "affine:5ms,2ms;anomaly=4:0",
                    "affine:5ms,2ms;spike=2", "affine:5ms,2ms;visit_sd=-1",
                    "affine:5ms,2ms;real=yes", "affine:5ms,2ms;load=3",
                    "affine:5ms,2ms;per_token=0", "table:1=5ms;per_token=64",
                    "affine:5ms,2ms;modes=0.2", "affine:5ms,2ms;modes=2:1.1",
                    "affine:5ms,2ms;carry_over=16", "affine:5ms,2ms;autocorrelated=0.02:1",
                    "affine:5ms,2ms;slow_iteration=0:2", "affine:5ms,2ms;slow_start=6:10",
                    "affine:5ms,2ms;slow_start=6:0:2", "affine:5ms,2ms;cache=16:0",
                    "affine:5ms,2ms;cache=16:1.3:0", "affine:5ms,2ms;preempt=3:2",
                    "affine:5ms,2ms;preempt=3ms", "affine:5ms,2ms;preempt=3ms:2:1.5"));

}  // namespace
}  // namespace batchscope::engines
