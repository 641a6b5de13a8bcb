#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/analyze/gates.hpp"
#include "fake_run.hpp"

namespace batchscope::analyze {
namespace {

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

schema::Summary analyzed(const schema::RunFile& run) {
  return analyze(std::span(&run, 1));
}

std::vector<schema::Finding> findings_of(const schema::Summary& summary, const std::string& id) {
  std::vector<schema::Finding> found;
  std::copy_if(summary.findings.begin(), summary.findings.end(), std::back_inserter(found),
               [&](const schema::Finding& finding) { return finding.id == id; });
  return found;
}

TEST(Losses, AreComparedAtTheLastCommonStep) {
  schema::RunFile run = training({false, true}, {false});
  set_losses(run, {0.75, 0.505});
  const auto summary = analyzed(run);
  ASSERT_THAT(summary.comparisons, SizeIs(3));
  for (const schema::Comparison& comparison : summary.comparisons) {
    ASSERT_TRUE(comparison.losses);
    EXPECT_EQ(comparison.losses->steps, 2);
    EXPECT_NEAR(comparison.losses->base, 0.5, 1e-12);
    EXPECT_NEAR(comparison.losses->other, 0.505, 1e-12);
    EXPECT_THAT(comparison.message, HasSubstr("Loss after 2 steps 0.505 against 0.5 (1 % apart)."));
  }
  EXPECT_THAT(findings_of(summary, "train.loss-departs"), IsEmpty());
  EXPECT_THAT(summary.recommendations.at(0).message, Not(HasSubstr("loss")));
}

TEST(Losses, ThatDepartAreAFindingAndStandBesideTheRecommendation) {
  schema::RunFile run = training({false, true}, {false});
  set_losses(run, {0.75, 0.5, 0.28});
  const auto summary = analyzed(run);
  const auto found = findings_of(summary, "train.loss-departs");
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_EQ(found[0].status, schema::Status::measured);
  EXPECT_EQ(found[0].severity, schema::Severity::medium);
  EXPECT_TRUE(is_bf16(*found[0].where));
  EXPECT_THAT(found[0].message, HasSubstr("0.28 against 0.25 (12 % apart)"));
  EXPECT_TRUE(has_finding(summary, schema::Severity::medium));
  const schema::Recommendation& pick = summary.recommendations.at(0);
  EXPECT_TRUE(is_bf16(pick.config));  // it is the fastest
  EXPECT_THAT(pick.message, HasSubstr("Its loss departs, though."));
}

TEST(Losses, AreToldInShortForTwoSizesOnly) {
  schema::RunFile run = training({false, true}, {false});
  set_losses(run, {0.75, 0.5, 0.28});
  const auto words = analyzed(run).words;
  EXPECT_EQ(std::count_if(words.begin(), words.end(),
                          [](const std::string& text) { return text.starts_with("Measured"); }),
            2);
  EXPECT_THAT(words, testing::Contains("1 more of this kind is listed among the findings."));
}

TEST(Losses, WithoutACommonStepAreNotCompared) {
  schema::RunFile run = training({false, true}, {false});
  set_losses(run, {});
  for (const schema::Comparison& comparison : analyzed(run).comparisons) {
    EXPECT_FALSE(comparison.losses);
    EXPECT_THAT(comparison.message, Not(HasSubstr("Loss")));
  }
}

TEST(Checkpointing, IsToldByMemoryAndTime) {
  const auto summary = analyzed(training({false}, {false, true}));
  const auto found = findings_of(summary, "train.checkpointing");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].message,
              HasSubstr("Checkpointing: 50 % less activation memory a sample (6.00 MiB against "
                        "12.0 MiB), 25 % more time (mean of batches 1, 2 and 4)."));
  EXPECT_EQ(found[0].severity, schema::Severity::info);
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
  EXPECT_THAT(found[0].message, HasSubstr("takes 29 % of a step at batch 1, 22 % at batch 2."));
  EXPECT_THAT(found[0].message, HasSubstr("up to 29 % x (1 - 1/k)"));
  EXPECT_THAT(found[0].message, HasSubstr("21 % with k = 4"));
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

}  // namespace
}  // namespace batchscope::analyze
