#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/compare/summary_gates.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::analyze {
namespace {

using compare::finding_gate;
using tables::affine;
using tables::batch_sizes;
using tables::FakeRun;
using tables::make_run;
using tables::quiet;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr double kMebibyte = 1 << 20;

bool is_bf16(const schema::RunConfig& config) {
  return config.precision == schema::Precision::bf16;
}

// Batches 1 to 4 in fp32 and bf16, or with checkpointing off and on; bf16 takes half the time,
// checkpointing a quarter more. 300 MiB + 12 MiB a sample, 6 MiB with checkpointing.
schema::RunFile training(const std::vector<bool>& bf16, const std::vector<bool>& checkpointing) {
  FakeRun fake;
  for (const bool low : bf16) {
    for (const bool on : checkpointing) {
      for (schema::RunConfig config : batch_sizes({1, 2, 4})) {
        config.mode = schema::Mode::train;
        config.optimizer = "sgd";
        if (low) config.precision = schema::Precision::bf16;
        config.checkpointing = on;
        fake.configs.push_back(config);
      }
    }
  }
  fake.law = [](const schema::RunConfig& config) {
    return affine()(config) * (is_bf16(config) ? 0.5 : 1) * (config.checkpointing ? 1.25 : 1);
  };
  fake.noise = quiet();
  schema::RunFile run = make_run(fake);
  for (schema::Visit& visit : run.visits) {
    const schema::RunConfig& config = run.configs[static_cast<std::size_t>(visit.config)];
    const double a_sample = config.checkpointing ? 6 : 12;
    const auto batch = static_cast<double>(config.shape.batch_size);
    visit.memory.peak_iterations_rss_bytes =
        static_cast<int64_t>((300 + a_sample * batch) * kMebibyte);
    visit.losses = {0.75, 0.5, 0.25};
  }
  return run;
}

void set_losses(schema::RunFile& run, std::vector<double> bf16) {
  for (schema::Visit& visit : run.visits) {
    if (is_bf16(run.configs[static_cast<std::size_t>(visit.config)])) visit.losses = bf16;
  }
}

findings::Summary analyzed(const schema::RunFile& run) {
  return analyze(std::span(&run, 1));
}

std::vector<findings::Finding> findings_of(const findings::Summary& summary,
                                           const std::string& id) {
  std::vector<findings::Finding> found;
  std::copy_if(summary.findings.begin(), summary.findings.end(), std::back_inserter(found),
               [&](const findings::Finding& finding) { return finding.id == id; });
  return found;
}

TEST(Losses, AreComparedAtTheLastCommonStep) {
  schema::RunFile run = training({false, true}, {false});
  set_losses(run, {0.75, 0.505});
  const auto summary = analyzed(run);
  ASSERT_THAT(summary.comparisons, SizeIs(3));
  for (const findings::Comparison& comparison : summary.comparisons) {
    ASSERT_TRUE(comparison.losses);
    EXPECT_EQ(comparison.losses->steps, 2);
    EXPECT_NEAR(comparison.losses->base, 0.5, 1e-12);
    EXPECT_NEAR(comparison.losses->other, 0.505, 1e-12);
    EXPECT_THAT(comparison.message,
                HasSubstr("Loss after 2 steps 0.505 against 0.5 (relative difference 0.01)."));
  }
  EXPECT_THAT(findings_of(summary, "train.loss-departs"), IsEmpty());
  EXPECT_THAT(summary.recommendations.at(0).message, Not(HasSubstr("loss")));
}

TEST(Losses, ThatDepartAreAFindingAndTheirPrecisionIsNotRecommended) {
  schema::RunFile run = training({false, true}, {false});
  set_losses(run, {0.75, 0.5, 0.28});
  const auto summary = analyzed(run);
  const auto found = findings_of(summary, "train.loss-departs");
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_EQ(found[0].status, findings::Status::measured);
  EXPECT_EQ(found[0].severity, findings::Severity::medium);
  EXPECT_TRUE(is_bf16(*config_of(found[0].where)));
  EXPECT_THAT(found[0].what, HasSubstr("0.28 against 0.25 (relative difference 0.12)"));
  EXPECT_EQ(finding_gate(summary, findings::Severity::medium).outcome, findings::Outcome::failed);
  const findings::Recommendation& pick = summary.recommendations.at(0);
  EXPECT_FALSE(is_bf16(pick.config));  // it is the fastest
  EXPECT_THAT(pick.message, HasSubstr("loss differs from fp32"));
  ASSERT_FALSE(pick.left_out.empty());
  EXPECT_EQ(pick.left_out.front().reason, findings::LeftOutReason::loss);
}

TEST(Losses, AreReportedInShortForTwoSizesOnly) {
  schema::RunFile run = training({false, true}, {false});
  set_losses(run, {0.75, 0.5, 0.28});
  const auto words = analyzed(run).words;
  EXPECT_EQ(std::count_if(words.begin(), words.end(),
                          [](const std::string& text) {
                            return text.starts_with("Measured") &&
                                   text.find("does not train like") != std::string::npos;
                          }),
            2);
  EXPECT_THAT(words, testing::Contains("1 more of this kind is listed with the findings."));
}

TEST(Losses, WithoutACommonStepAreNotCompared) {
  schema::RunFile run = training({false, true}, {false});
  set_losses(run, {});
  for (const findings::Comparison& comparison : analyzed(run).comparisons) {
    EXPECT_FALSE(comparison.losses);
    EXPECT_THAT(comparison.message, Not(HasSubstr("Loss")));
  }
}

TEST(Checkpointing, IsReportedByMemoryAndTime) {
  const auto summary = analyzed(training({false}, {false, true}));
  const auto found = findings_of(summary, "train.checkpointing");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].what,
              HasSubstr("Checkpointing: 50 % less activation memory per sample (6.00 MiB against "
                        "12.0 MiB), 25 % more time (mean of batches 1, 2 and 4)."));
  EXPECT_EQ(found[0].severity, findings::Severity::info);
  EXPECT_THAT(summary.words, testing::Contains(HasSubstr("Measured (checkpointing)")));
  EXPECT_THAT(summary.comparisons.at(0).message, HasSubstr("(the same)"));
}

TEST(Checkpointing, OfEachPrecisionIsItsOwn) {
  const auto summary = analyzed(training({false, true}, {false, true}));
  EXPECT_THAT(findings_of(summary, "train.checkpointing"), SizeIs(2));
}

TEST(OptimizerShare, IsAFindingAboveAFifthWithItsBound) {
  schema::RunFile run = training({false}, {false});
  for (schema::Visit& visit : run.visits) {
    const int64_t total = 3 * visit.samples_ns.front();
    visit.phases = {{"forward", total - 6'000'000, std::nullopt, 3},
                    {"optimizer", 6'000'000, std::nullopt, 3}};  // 2 ms of 7, 9 and 13
  }
  const auto found = findings_of(analyzed(run), "train.optimizer-share");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].batch_sizes, (std::vector<int64_t>{1, 2}));
  EXPECT_THAT(found[0].what, HasSubstr("takes 29 % of a step at batch 1, 22 % at batch 2."));
  EXPECT_THAT(found[0].what, HasSubstr("up to 29 % x (1 - 1/k)"));
  EXPECT_THAT(found[0].what, HasSubstr("21 % with k = 4"));
}

TEST(OptimizerShare, GoesByTheDevicesClock) {
  schema::RunFile run = training({false}, {false});
  for (schema::Visit& visit : run.visits) {
    visit.phases = {{"forward", 1'000'000, 9'000'000, 3}, {"optimizer", 9'000'000, 1'000'000, 3}};
  }
  EXPECT_THAT(findings_of(analyzed(run), "train.optimizer-share"), IsEmpty());
}

TEST(SkippedSteps, AreCountedAndWarnedOf) {
  schema::RunFile run = training({false}, {false});
  for (schema::Visit& visit : run.visits) visit.skipped_steps = visit.config == 1 ? 2 : 0;
  const auto summary = analyzed(run);
  EXPECT_EQ(summary.groups.at(0).rows[0].skipped_steps, 0);
  EXPECT_EQ(summary.groups.at(0).rows[1].skipped_steps, 24);
  EXPECT_THAT(summary.warnings, testing::Contains(HasSubstr("24 of 36 steps")));
}

// 32 samples a step in three ways: 5 ms a batch and 2 ms a sample; 300 MiB, 10 MiB a sample.
schema::RunFile steps_of_32(const char* optimizer = "adamw") {
  FakeRun fake;
  for (const int64_t size : {8, 16, 32}) {
    schema::RunConfig config = batch_sizes({size}).front();
    config.mode = schema::Mode::train;
    config.optimizer = optimizer;
    config.accumulation = 32 / size;
    fake.configs.push_back(config);
  }
  fake.law = [](const schema::RunConfig& config) {
    return affine()(config) * static_cast<double>(config.accumulation);
  };
  fake.noise = quiet();
  schema::RunFile run = make_run(fake);
  for (schema::Visit& visit : run.visits) {
    const auto& config = run.configs[static_cast<std::size_t>(visit.config)];
    visit.memory.peak_iterations_rss_bytes = static_cast<int64_t>(
        (300 + 10.0 * static_cast<double>(config.shape.batch_size)) * kMebibyte);
    visit.losses = {0.75, 0.5};
  }
  return run;
}

TEST(Accumulation, IsComparedAtEqualSamplesAStep) {
  const auto summary = analyzed(steps_of_32());
  ASSERT_THAT(summary.comparisons, SizeIs(2));
  const findings::Comparison& most = summary.comparisons.at(1);
  EXPECT_EQ(most.axis, "accumulation");
  EXPECT_EQ(most.base, "1");
  EXPECT_EQ(most.other, "4");
  EXPECT_EQ(most.config.shape.batch_size, 32);
  EXPECT_EQ(most.other_config->shape.batch_size, 8);
  EXPECT_NEAR(most.ratio.value, 4 * 21.0 / 69, 1e-9);
  EXPECT_TRUE(most.significant);
  EXPECT_THAT(
      most.message,
      HasSubstr("4 batches of 8 take 22 % more time than one batch of 32 at 32 samples per step"));
  EXPECT_THAT(most.message, HasSubstr("Loss after 2 steps 0.5 against 0.5 (the same)"));
}

TEST(Accumulation, ThroughputCountsEverySampleOfAStep) {
  for (const findings::Group& group : analyzed(steps_of_32()).groups) {
    const findings::ConfigRow& row = group.rows.at(0);
    EXPECT_NEAR(row.throughput_per_s.value, 32e3 / row.time_ms.value, 1e-6);
    EXPECT_NEAR(row.per_sample_ms.value, row.time_ms.value / 32, 1e-9);
  }
}

TEST(Accumulation, IsReportedByThroughputAndMemory) {
  const auto summary = analyzed(steps_of_32());
  const auto found = findings_of(summary, "train.accumulation");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(config_of(found[0].where)->shape.batch_size, 32);
  EXPECT_THAT(found[0].what, HasSubstr("32 samples per step: one batch of 32 464 samples/s, "
                                       "620 MiB; 2 batches of 16"));
  EXPECT_THAT(found[0].what, HasSubstr("The fastest is one batch of 32. "
                                       "The way with the least memory is 4 batches of 8: 39 %"));
  EXPECT_EQ(summary.recommendations.at(0).config.shape.batch_size, 32);
  EXPECT_EQ(summary.recommendations.at(0).config.accumulation, 1);
}

TEST(Accumulation, OfOtherSamplesAStepIsRankedBySpeedAloneAndSaysSo) {
  schema::RunFile run = steps_of_32();
  EXPECT_THAT(analyzed(run).recommendations.at(0).message, Not(HasSubstr("Ranked by")));
  run.configs[0].accumulation = 1;
  EXPECT_THAT(analyzed(run).recommendations.at(0).message,
              HasSubstr("Ranked by samples per second alone: steps have 8 to 32 samples"));
}

TEST(Accumulation, OfOneWayIsNoFinding) {
  EXPECT_THAT(findings_of(analyzed(training({false, true}, {false, true})), "train.accumulation"),
              IsEmpty());
}

TEST(Accumulation, SaysWhenTheLossesDepart) {
  schema::RunFile run = steps_of_32();
  for (schema::Visit& visit : run.visits) {
    if (visit.config == 0) visit.losses = {0.75, 0.6};
  }
  const auto found = findings_of(analyzed(run), "train.loss-departs");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(config_of(found[0].where)->accumulation, 4);
  EXPECT_THAT(found[0].fix, HasSubstr("Batch normalisation"));
}

schema::RunFile sizes_with(const char* optimizer, std::optional<int64_t> current) {
  schema::RunFile run = training({false}, {false});
  for (schema::RunConfig& config : run.configs) config.optimizer = optimizer;
  run.header.plan.current_batch_size = current;
  return run;
}

double factor(const findings::Finding& finding, const std::string& metric) {
  for (const findings::Evidence& each : finding.evidence) {
    if (each.metric == metric) return each.estimate.value;
  }
  return 0;
}

TEST(LearningRate, GrowsWithTheBatchForSgd) {
  const auto found = findings_of(analyzed(sizes_with("sgd", 2)), "train.learning-rate");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(config_of(found[0].where)->shape.batch_size, 4);  // recommended
  EXPECT_EQ(factor(found[0], "learning_rate_factor"), 2);
  EXPECT_EQ(factor(found[0], "one_minus_beta_factor"), 0);
  EXPECT_THAT(found[0].what, HasSubstr("linear rule"));
  EXPECT_THAT(found[0].what, HasSubstr("warm-up"));
  EXPECT_THAT(found[0].what, HasSubstr("Goyal et al. 2017"));
  EXPECT_THAT(found[0].what, HasSubstr("untested"));
}

TEST(LearningRate, GrowsWithTheRootForAdam) {
  const auto found = findings_of(analyzed(sizes_with("adamw", 1)), "train.learning-rate");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(factor(found[0], "effective_batch_factor"), 4);
  EXPECT_EQ(factor(found[0], "learning_rate_factor"), 2);
  EXPECT_EQ(factor(found[0], "one_minus_beta_factor"), 4);
  EXPECT_EQ(factor(found[0], "epsilon_factor"), 0.5);
  EXPECT_THAT(found[0].what, HasSubstr("Malladi et al. 2022"));
}

TEST(LearningRate, GoesBySamplesAStepNotByBatch) {
  schema::RunFile run = steps_of_32("sgd");
  run.header.plan.current_batch_size = 8;  // measured with 4 batches a step
  EXPECT_THAT(findings_of(analyzed(run), "train.learning-rate"), IsEmpty());
}

TEST(LearningRate, TheCurrentSizeHasTheBatchesOfAStepToo) {
  schema::RunFile run = sizes_with("sgd", 2);
  for (schema::RunConfig& config : run.configs) config.accumulation = 4;
  const auto found = findings_of(analyzed(run), "train.learning-rate");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].what, HasSubstr("From 8 to 16 samples per step (k = 2.00)"));
  run.header.plan.current_batch_size = 4;  // that is the pick
  EXPECT_THAT(findings_of(analyzed(run), "train.learning-rate"), IsEmpty());
}

TEST(LearningRate, IsLeftAloneWhereTheBatchIs) {
  EXPECT_THAT(findings_of(analyzed(sizes_with("sgd", 4)), "train.learning-rate"), IsEmpty());
  EXPECT_THAT(findings_of(analyzed(sizes_with("lamb", 1)), "train.learning-rate"), IsEmpty());
  EXPECT_THAT(findings_of(analyzed(steps_of_32()), "train.learning-rate"), IsEmpty())
      << "32 samples a step, whichever way";
}

// Loads for 20 ms and computes for 10; each worker beyond the first halves the wait.
schema::RunFile loading(double load_ms, const std::vector<int>& workers) {
  FakeRun fake;
  const auto load_of = [=](const schema::RunConfig& config) {
    return load_ms * 1e6 / (1 << std::min(config.loader->workers, 8));
  };
  for (const int n : workers) {
    for (schema::RunConfig config : batch_sizes({1, 2})) {
      config.mode = schema::Mode::train;
      config.loader = schema::Loader{"data", n, 2};
      fake.configs.push_back(config);
    }
  }
  fake.law = [=](const schema::RunConfig& config) { return 10e6 + load_of(config); };
  schema::RunFile run = make_run(fake);
  for (schema::Visit& visit : run.visits) {
    const auto& config = run.configs[static_cast<std::size_t>(visit.config)];
    int64_t total = 0;
    for (const int64_t sample : visit.samples_ns) total += sample;
    const double share = load_of(config) / (10e6 + load_of(config));
    const auto load = static_cast<int64_t>(share * static_cast<double>(total));
    visit.phases = {{"load", load, {}, 3}, {"forward", total - load, {}, 3}};
  }
  return run;
}

TEST(Loading, IsABottleneckAboveHalfOfAnIteration) {
  const auto found = findings_of(analyzed(loading(20, {0})), "bottleneck.loading");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].severity, findings::Severity::medium);
  EXPECT_EQ(found[0].status, findings::Status::measured);
  EXPECT_NEAR(found[0].evidence.at(0).estimate.value, 2.0 / 3, 0.01);
  EXPECT_THAT(found[0].fix, HasSubstr("workers=N"));
  EXPECT_EQ(findings_of(analyzed(loading(60, {0})), "bottleneck.loading").at(0).severity,
            findings::Severity::high);
  EXPECT_THAT(findings_of(analyzed(loading(9, {0})), "bottleneck.loading"), IsEmpty());
}

TEST(Loading, IsConfirmedByWorkersThatAreProvenFaster) {
  for (const auto& order : {std::vector<int>{0, 4}, std::vector<int>{4, 0}}) {
    const auto found = findings_of(analyzed(loading(20, order)), "bottleneck.loading");
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(config_of(found[0].where)->loader->workers, 0);
    EXPECT_EQ(found[0].status, findings::Status::confirmed);
    EXPECT_THAT(found[0].what, HasSubstr("With 4 loader workers an iteration takes"));
    ASSERT_TRUE(found[0].gain);
    EXPECT_LT(found[0].gain->low, 1 - 11.25 / 30);
    EXPECT_GT(found[0].gain->high, 1 - 11.25 / 30);
  }
}

TEST(Loading, IsNotConfirmedByWorkersThatChangeNothing) {
  schema::RunFile run = loading(20, {0, 1});
  for (schema::Visit& visit : run.visits) {
    for (int64_t& sample : visit.samples_ns) sample = 30'000'000;
  }
  for (const auto& found : findings_of(analyzed(run), "bottleneck.loading")) {
    EXPECT_EQ(found.status, findings::Status::measured);
  }
}

}  // namespace
}  // namespace batchscope::analyze
