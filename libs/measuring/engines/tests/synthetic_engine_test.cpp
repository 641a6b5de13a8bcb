#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/engine/abilities.hpp"
#include "batchscope/engines/synthetic.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "testing/engines/described_abilities.hpp"

namespace batchscope::engines {
namespace {

class SumOfPhases final : public engine::PhaseSink {
 public:
  void phase(std::string_view, int64_t host_ns, std::optional<int64_t>) override { sum += host_ns; }
  int64_t sum = 0;
};

struct Visit {
  std::vector<double> times;
  int64_t phases = 0;
};

// One visit of `iterations` iterations at one batch size, as a fresh process makes it.
Visit visit(const std::string& law, const schema::Shape& shape, int iterations,
            engine::VisitContext context) {
  const auto engine = make_synthetic_engine(1);
  engine::ExecutionSpec execution;
  execution.visit = context;
  engine::ModelSpec model_spec;
  model_spec.name = law;
  auto model = engine->load(model_spec, execution);
  EXPECT_TRUE(model);
  auto batch = (*model)->prepare(shape);
  EXPECT_TRUE(batch);
  Visit made;
  SumOfPhases sink;
  for (int i = 0; i < iterations; ++i) {
    const int64_t start = engine->clock().now_ns();
    EXPECT_TRUE((*model)->run(**batch, sink));
    made.times.push_back(static_cast<double>(engine->clock().now_ns() - start));
  }
  made.phases = sink.sum;
  return made;
}

Visit visit(const std::string& law, int64_t batch_size, int iterations,
            engine::VisitContext context) {
  return visit(law, schema::Shape{batch_size}, iterations, context);
}

engine::VisitContext context(uint64_t seed, int64_t number, int64_t elapsed_ns = 0) {
  return {seed, number, number, elapsed_ns};
}

constexpr char kQuiet[] = "affine:5ms,2ms;process_sd=0;visit_sd=0;iteration_sd=0;warmup=0";

// ln of first iterations over many visits.
std::vector<double> logs(const std::string& law, int visits) {
  std::vector<double> values;
  values.reserve(static_cast<size_t>(visits));
  for (int i = 0; i < visits; ++i)
    values.push_back(std::log(visit(law, 1, 1, context(3, i)).times[0]));
  return values;
}

TEST(SyntheticEngine, InstancesAtOnceSlowEachOtherAndHaveTheirOwnNoise) {
  const auto time = [](int instances, int instance, const std::string& law) {
    const auto engine = make_synthetic_engine(1);
    engine::ExecutionSpec execution;
    execution.instances = instances;
    execution.visit = context(1, 5);
    execution.visit->instance = instance;
    engine::ModelSpec spec;
    spec.name = law;
    auto model = engine->load(spec, execution);
    auto batch = (*model)->prepare({4, std::nullopt});
    SumOfPhases sink;
    const int64_t start = engine->clock().now_ns();
    EXPECT_TRUE((*model)->run(**batch, sink));
    return engine->clock().now_ns() - start;
  };
  const std::string law = std::string(kQuiet) + ";contention=0.3";
  EXPECT_EQ(time(1, 0, law), 13'000'000);
  EXPECT_EQ(time(3, 2, law), 20'800'000);
  EXPECT_EQ(time(2, 0, "affine:5ms,2ms"), time(1, 0, "affine:5ms,2ms"));
  EXPECT_NE(time(2, 1, "affine:5ms,2ms"), time(2, 0, "affine:5ms,2ms"));
}

TEST(SyntheticEngine, WithoutNoiseTheLawIsExact) {
  EXPECT_EQ(visit(kQuiet, 4, 3, context(1, 0)).times, (std::vector<double>{13e6, 13e6, 13e6}));
}

TEST(SyntheticEngine, ALawOfTokensPaysForThePaddingOfEachBatchInTurn) {
  const std::string law = std::string(kQuiet) + ";per_token=64";
  const schema::Shape mix{2, std::nullopt, "mix", {64, 32, 16, 32, 128, 1}};
  EXPECT_EQ(visit(law, mix, 4, context(1, 0)).times,
            (std::vector<double>{5e6 + 2e6 * 2, 5e6 + 2e6, 5e6 + 2e6 * 4, 5e6 + 2e6 * 2}));
  const schema::Shape fixed{2, 32};
  EXPECT_EQ(visit(law, fixed, 1, context(1, 0)).times[0], 5e6 + 2e6);
  EXPECT_EQ(visit(law, 2, 1, context(1, 0)).times[0], 5e6 + 2e6 * 2);
}

TEST(SyntheticEngine, ABatchTellsItsCycleAndItsTokens) {
  const auto engine = make_synthetic_engine(1);
  engine::ModelSpec model_spec;
  model_spec.name = kQuiet;
  auto model = engine->load(model_spec, {});
  ASSERT_TRUE(model);
  const auto batch = (*model)->prepare({2, std::nullopt, "mix", {3, 5, 4, 4}});
  ASSERT_TRUE(batch);
  EXPECT_EQ((*batch)->cycle(), 2);
  EXPECT_EQ((*batch)->tokens(), (schema::Tokens{16, 18, 2}));
  const auto plain = (*model)->prepare({2});
  ASSERT_TRUE(plain);
  EXPECT_EQ((*plain)->cycle(), 1);
  EXPECT_EQ((*plain)->tokens(), std::nullopt);
}

TEST(SyntheticEngine, SameSeedAndVisitGiveTheSameTimes) {
  const std::string law = "affine:5ms,2ms;spike=0.5;burst=0.2";
  EXPECT_EQ(visit(law, 2, 5, context(9, 4)).times, visit(law, 2, 5, context(9, 4)).times);
  EXPECT_NE(visit(law, 2, 5, context(9, 4)).times, visit(law, 2, 5, context(9, 5)).times);
  EXPECT_NE(visit(law, 2, 5, context(9, 4)).times, visit(law, 2, 5, context(8, 4)).times);
}

TEST(SyntheticEngine, NoiseHasItsStandardDeviation) {
  const std::string rest = ";iteration_sd=0;warmup=0";
  const auto process = logs("affine:5ms,2ms;visit_sd=0;process_sd=0.02" + rest, 2000);
  EXPECT_NEAR(std::sqrt(stats::variance(process)), 0.02, 0.002);
  const auto both = logs("affine:5ms,2ms;visit_sd=0.03;process_sd=0.04" + rest, 2000);
  EXPECT_NEAR(std::sqrt(stats::variance(both)), 0.05, 0.005);
  EXPECT_NEAR(stats::mean(both), std::log(7e6), 0.005);
}

TEST(SyntheticEngine, AProcessKeepsItsEffectOverItsVisits) {
  const std::string law = "affine:5ms,2ms;process_sd=0.1;visit_sd=0;iteration_sd=0;warmup=0";
  const engine::VisitContext first{5, 7, 0, 0}, second{5, 7, 1, 0}, other{5, 8, 2, 0};
  EXPECT_EQ(visit(law, 1, 1, first).times, visit(law, 1, 1, second).times);
  EXPECT_NE(visit(law, 1, 1, first).times, visit(law, 1, 1, other).times);
}

TEST(SyntheticEngine, WarmupHalvesWithEachIteration) {
  const Visit made = visit("affine:4ms,4ms;process_sd=0;visit_sd=0;iteration_sd=0;warmup=0.5", 1, 3,
                           context(1, 0));
  EXPECT_EQ(made.times, (std::vector<double>{12e6, 10e6, 9e6}));
}

TEST(SyntheticEngine, DriftFollowsTheTimeOfTheRun) {
  const std::string law = std::string(kQuiet) + ";load=0ms;drift=0.1";
  const double start = visit(law, 1, 1, context(1, 0)).times[0];
  const double hour_later = visit(law, 1, 1, context(1, 0, 3'600'000'000'000)).times[0];
  EXPECT_NEAR(std::log(hour_later / start), 0.1, 1e-6);
}

TEST(SyntheticEngine, SpikesHitTheirShareOfVisits) {
  const auto values = logs(std::string(kQuiet) + ";spike=0.2:1.5", 2000);
  const double high = std::log(7e6 * 1.5);
  const auto hit = std::count_if(values.begin(), values.end(),
                                 [high](double value) { return std::abs(value - high) < 1e-6; });
  EXPECT_NEAR(static_cast<double>(hit) / 2000, 0.2, 0.04);
}

TEST(SyntheticEngine, ABurstLastsItsVisits) {
  const auto values = logs(std::string(kQuiet) + ";burst=0.01:1.2:4", 3000);
  int run = 0, runs = 0, shortest = 1000;
  for (const double value : values) {
    if (value > std::log(7e6 * 1.1)) {
      ++run;
    } else if (run > 0) {
      ++runs;
      shortest = std::min(shortest, run);
      run = 0;
    }
  }
  EXPECT_GT(runs, 5);
  EXPECT_EQ(shortest, 4);
}

TEST(SyntheticEngine, PhasesAreMostOfTheTime) {
  const Visit made = visit(kQuiet, 4, 2, context(1, 0));
  EXPECT_NEAR(static_cast<double>(made.phases), 0.98 * 26e6, 10);
}

TEST(SyntheticEngine, LoadingTakesItsTime) {
  const auto engine = make_synthetic_engine(1);
  engine::ModelSpec spec;
  spec.name = "affine:5ms,2ms;load=700ms";
  ASSERT_TRUE(engine->load(spec, {}));
  EXPECT_EQ(engine->clock().now_ns(), 700'000'000);
}

TEST(SyntheticEngine, FailsWhereItIsReported) {
  const auto engine = make_synthetic_engine(1);
  engine::ModelSpec spec;
  spec.name = "affine:5ms,2ms;oom_above=4;throw_at=2";
  auto model = engine->load(spec, {});
  ASSERT_TRUE(model);
  const auto too_large = (*model)->prepare({5, std::nullopt});
  ASSERT_FALSE(too_large);
  EXPECT_EQ(too_large.error().kind, base::ErrorKind::out_of_memory);
  SumOfPhases sink;
  auto thrower = (*model)->prepare({2, std::nullopt});
  ASSERT_TRUE(thrower);
  const auto thrown = (*model)->run(**thrower, sink);
  ASSERT_FALSE(thrown);
  EXPECT_EQ(thrown.error().kind, base::ErrorKind::failed);
  auto good = (*model)->prepare({4, std::nullopt});
  ASSERT_TRUE(good);
  EXPECT_TRUE((*model)->run(**good, sink));
}

TEST(SyntheticEngineDeathTest, CrashesWhereItIsReported) {
  EXPECT_EXIT(visit("affine:5ms,2ms;crash_at=3", 3, 1, context(1, 0)),
              testing::KilledBySignal(SIGSEGV), "");
}

TEST(SyntheticEngine, InspectsWithoutLoading) {
  const auto engine = make_synthetic_engine(1);
  engine::ModelSpec spec;
  spec.name = "affine:5ms,2ms";
  const auto info = engine->inspect(spec);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->name, spec.name);
  spec.name = "affine:5ms,3ms";
  EXPECT_NE(engine->inspect(spec)->hash, info->hash);
  spec.name = "distilbert";
  EXPECT_EQ(engine->inspect(spec).error().kind, base::ErrorKind::usage);
}

// What three iterations at batch 8 take and are charged.
std::pair<double, std::optional<schema::Usage>> charged(
    const std::string& law, const std::map<std::string, std::string>& environment) {
  const auto engine = make_synthetic_engine(1);
  engine::ExecutionSpec execution;
  execution.environment = environment;
  engine::ModelSpec model_spec;
  model_spec.name = law + ";process_sd=0;visit_sd=0;iteration_sd=0;warmup=0";
  auto model = engine->load(model_spec, execution);
  EXPECT_TRUE(model);
  auto batch = (*model)->prepare({8, std::nullopt});
  SumOfPhases sink;
  const int64_t start = engine->clock().now_ns();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE((*model)->run(**batch, sink));
  return {static_cast<double>(engine->clock().now_ns() - start),
          (*model)->as<engine::ImaginesUsage>()->virtual_usage()};
}

TEST(SyntheticEngine, APlantedCauseHasItsSignalItsCostAndItsRemedy) {
  const auto [with, usage] = charged("affine:5ms,2ms;heap_returned=8:1.1", {});
  EXPECT_NEAR(with, 3 * 21e6 * 1.1, 10);
  ASSERT_TRUE(usage);
  EXPECT_EQ(usage->minor_faults, 90'000);
  EXPECT_GT(*usage->system_ns, 0);
  const auto [without, none] =
      charged("affine:5ms,2ms;heap_returned=8:1.1", {{"GLIBC_TUNABLES", "x"}});
  EXPECT_NEAR(without, 3 * 21e6, 10);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->minor_faults, 0);
  EXPECT_FALSE(charged("affine:5ms,2ms", {}).second);
}

TEST(SyntheticEngine, IsAsDescribed) {
  const auto engine = make_synthetic_engine(1);
  const auto model = engine->load({"synthetic:affine:5ms,2ms", "", {}, 0}, {});
  ASSERT_TRUE(model) << base::to_string(model.error());
  engine::expect_described_abilities(**model, "synthetic");
  EXPECT_TRUE(engine::describe(*engine, {}).virtual_time);
  EXPECT_EQ(engine->devices(), engine::describe(*engine, {}).device_kinds);
}

TEST(SyntheticEngine, KnowsEveryLawAsAModel) {
  const auto engine = make_synthetic_engine(1);
  const auto plain = engine->find_model("synthetic:affine:5ms,2ms");
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->has_seq_len);
  EXPECT_TRUE(engine->find_model("no law")) << "for inspect() to explain";
}

TEST(SyntheticEngine, IsLoadedByItsNameAlone) {
  const auto engine = load_synthetic("synthetic");
  ASSERT_TRUE(engine);
  EXPECT_EQ((*engine)->clock().kind(), schema::ClockKind::virtual_time);
  EXPECT_EQ(load_synthetic("torch").error().kind, base::ErrorKind::usage);
}

}  // namespace
}  // namespace batchscope::engines
