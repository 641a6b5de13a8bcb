#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/schema/run_file.hpp"
#include "compared_runs.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::compare {
namespace {

using tables::affine;
using tables::batch_sizes;
using tables::FakeNoise;
using tables::make_run;
using tables::quiet;
using testing::HasSubstr;

FakeNoise little() {
  return {0.01, 0, 0.05, 0, 1};
}

std::vector<schema::RunConfig> two_models() {
  auto configs = batch_sizes({1, 2, 4});
  for (auto config : batch_sizes({1, 2, 4})) {
    config.model = "b";
    configs.push_back(config);
  }
  return configs;
}

// Model b is 12 % faster at batch 4 and the same elsewhere.
double law(const schema::RunConfig& config) {
  const bool fast = config.model == "b" && config.shape.batch_size == 4;
  return affine()(config) * (fast ? 0.88 : 1.0);
}

TEST(Comparisons, ModelsOfOneRunArePairedWithinBlocks) {
  const schema::RunFile run = make_run({two_models(), law, 12, 3, little(), 9});
  const Compared compared = compared_run(run);
  ASSERT_EQ(compared.comparisons.size(), 3u);
  for (const findings::Comparison& comparison : compared.comparisons) {
    EXPECT_EQ(comparison.axis, "model");
    EXPECT_EQ(comparison.base, "m");
    EXPECT_EQ(comparison.other, "b");
    EXPECT_EQ(comparison.test, findings::ComparisonTest::paired);
    EXPECT_EQ(comparison.n, 12);
    const bool four = comparison.config.shape.batch_size == 4;
    EXPECT_EQ(comparison.significant, four);
    if (!four) continue;
    EXPECT_NEAR(comparison.ratio.value, 0.88, 0.02);
    EXPECT_LT(comparison.ratio.ci->high, 1);
    EXPECT_THAT(comparison.message, HasSubstr("b takes 12 % less time than m at batch 4 (CI"));
  }
}

TEST(Comparisons, ASlowerVersionIsARegression) {
  const auto slower = [](const schema::RunConfig& config) {
    return affine()(config) * (config.model == "b" ? 1.10 : 1.0);
  };
  const schema::RunFile run = make_run({two_models(), slower, 12, 3, little(), 9});
  const auto gate_of = [&](double margin) {
    return compared_run(run, with_margin(margin)).gate.value();
  };
  const findings::Gate gate = gate_of(0.03);
  EXPECT_EQ(gate.outcome, findings::Outcome::failed);
  ASSERT_EQ(gate.checks.size(), 3u);
  for (const auto& check : gate.checks) EXPECT_EQ(check.outcome, findings::Outcome::failed);
  EXPECT_EQ(gate_of(0.2).outcome, findings::Outcome::passed);
}

TEST(Comparisons, RunsAreIndependentSamples) {
  const auto slower = [](const schema::RunConfig& config) { return 1.3 * affine()(config); };
  const std::vector<schema::RunFile> runs{
      make_run({batch_sizes({1, 2}), affine(), 12, 3, little(), 1}),
      make_run({batch_sizes({1, 2, 4}), slower, 10, 3, little(), 2})};
  const Compared compared = compared_runs(runs);
  ASSERT_EQ(compared.comparisons.size(), 2u);
  const findings::Comparison& first = compared.comparisons.front();
  EXPECT_EQ(first.axis, "run");
  EXPECT_EQ(first.test, findings::ComparisonTest::welch);
  EXPECT_EQ(first.n, 10);
  EXPECT_TRUE(first.significant);
  EXPECT_NEAR(first.ratio.value, 1.3, 0.1);
  EXPECT_THAT(first.message, HasSubstr("run 2 takes"));
  EXPECT_THAT(first.message, HasSubstr("may be variation between runs"));
}

TEST(Comparisons, ImportedNumbersAreNeverSignificant) {
  std::vector<schema::RunFile> runs{
      make_run({batch_sizes({1}), affine(), 1, 1, quiet(), 1}),
      make_run({batch_sizes({1}), affine({{1, 2.0}}), 1, 1, quiet(), 1})};
  for (schema::RunFile& run : runs) run.header.origin = schema::Origin::imported;
  const Compared compared = compared_runs(runs);
  ASSERT_EQ(compared.comparisons.size(), 1u);
  EXPECT_FALSE(compared.comparisons[0].significant);
  EXPECT_NEAR(compared.comparisons[0].ratio.value, 2.0, 1e-6);
  EXPECT_THAT(compared.comparisons[0].message, HasSubstr("too few visits"));
}

TEST(Comparisons, RepeatsThatWereImportedProveNothingEither) {
  const auto slower = [](const schema::RunConfig& config) { return 1.3 * affine()(config); };
  std::vector<schema::RunFile> runs{make_run({batch_sizes({1}), affine(), 12, 3, little(), 1}),
                                    make_run({batch_sizes({1}), slower, 12, 3, little(), 2})};
  runs[1].header.origin = schema::Origin::imported;
  const Compared compared = compared_runs(runs);
  ASSERT_EQ(compared.comparisons.size(), 1u);
  EXPECT_LT(compared.comparisons[0].p_value, 0.05);
  EXPECT_FALSE(compared.comparisons[0].significant);
}

TEST(Comparisons, SequenceLengthsAreDifferentWork) {
  auto configs = batch_sizes({1, 2});
  for (auto& config : configs) config.shape.seq_len = 64;
  for (auto config : batch_sizes({1, 2})) {
    config.shape.seq_len = 128;
    configs.push_back(config);
  }
  const schema::RunFile run = make_run({configs, affine(), 12, 3, little(), 9});
  EXPECT_TRUE(compared_run(run).comparisons.empty());
}

TEST(Comparisons, RunsWithOtherBatchesOfAMixAreNotComparedAndThatIsStated) {
  const auto with_lengths = [](std::vector<int64_t> lengths) {
    auto configs = batch_sizes({1, 2});
    for (auto& config : configs) {
      config.shape.length_mix = "1-9:uniform";
      config.shape.lengths = lengths;
    }
    return configs;
  };
  const std::vector<schema::RunFile> runs{
      make_run({with_lengths({3, 7}), affine(), 12, 3, little(), 1}),
      make_run({with_lengths({7, 3}), affine(), 12, 3, little(), 2}),
      make_run({with_lengths({3, 7}), affine(), 12, 3, little(), 3})};
  const auto other = compared_runs(std::span(runs).subspan(0, 2));
  EXPECT_TRUE(other.comparisons.empty());
  EXPECT_THAT(other.warnings, testing::Contains(HasSubstr("the same --seed")));
  const std::vector<schema::RunFile> same{runs[0], runs[2]};
  const auto compared = compared_runs(same);
  EXPECT_EQ(compared.comparisons.size(), 2u);
  EXPECT_THAT(compared.warnings, testing::Not(testing::Contains(HasSubstr("the same --seed"))));
}

TEST(Comparisons, TwoAxesAtOnceAreNotCompared) {
  auto configs = batch_sizes({1, 2});
  for (auto config : batch_sizes({1, 2})) {
    config.model = "b";
    config.threads = 2;
    configs.push_back(config);
  }
  const schema::RunFile run = make_run({configs, affine(), 12, 3, little(), 9});
  EXPECT_TRUE(compared_run(run).comparisons.empty());
}

TEST(Comparisons, TheSentenceNamesWhatElseTheRunVaries) {
  std::vector<schema::RunConfig> configs;
  for (const schema::Precision precision : {schema::Precision::fp32, schema::Precision::bf16}) {
    for (const int threads : {1, 2}) {
      for (auto config : batch_sizes({2})) {
        config.precision = precision;
        config.threads = threads;
        configs.push_back(config);
      }
    }
  }
  const schema::RunFile run = make_run({configs, affine(), 12, 3, little(), 9});
  std::vector<std::string> messages;
  for (const findings::Comparison& each : compared_run(run).comparisons) {
    messages.push_back(each.message.substr(each.message.find("than")));
  }
  ASSERT_EQ(messages.size(), 4u);
  EXPECT_THAT(messages[0], HasSubstr("than 1 thread at batch 2, fp32 (CI"));
  EXPECT_THAT(messages[1], HasSubstr("than fp32 at batch 2, 1 thread (CI"));
  EXPECT_THAT(messages[2], HasSubstr("than fp32 at batch 2, 2 threads (CI"));
  EXPECT_THAT(messages[3], HasSubstr("than 1 thread at batch 2, bf16 (CI"));
}

}  // namespace
}  // namespace batchscope::compare
