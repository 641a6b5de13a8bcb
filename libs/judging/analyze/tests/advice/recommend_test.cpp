#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/analyze/analyze.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::analyze {
namespace {

using tables::affine;
using tables::batch_sizes;
using tables::FakeNoise;
using tables::FakeRun;
using tables::make_run;
using tables::quiet;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<findings::Recommendation> all_recommended(const FakeRun& fake) {
  const schema::RunFile run = make_run(fake);
  return analyze(std::span(&run, 1)).recommendations;
}

findings::Recommendation recommended(const FakeRun& fake) {
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
  EXPECT_THAT(pick.message, HasSubstr("Batches 2 and 4 were equally fast within 0."));
  EXPECT_THAT(pick.message, HasSubstr("Use the smaller batch"));
  EXPECT_FALSE(pick.gain);
}

TEST(Recommend, SingleNumbersAreFiguresAndOnePairOfVisitsIsNone) {
  schema::RunFile run = make_run({batch_sizes({1, 8}), affine(), 1, 3, quiet(), 1});
  const auto message = [&] { return analyze(std::span(&run, 1)).recommendations.at(0).message; };
  EXPECT_THAT(message(), Not(HasSubstr("than batch 1")));
  run.header.origin = schema::Origin::imported;
  EXPECT_THAT(message(), HasSubstr("than batch 1 (no CI: one number each)."));
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

TEST(Recommend, ADeviceThatComputesSomethingElseDoesNot) {
  auto configs = batch_sizes({1, 2});
  for (auto config : batch_sizes({1, 2})) {
    config.device = "cuda:0";
    configs.push_back(config);
  }
  const auto law = [](const schema::RunConfig& config) {
    return affine()(config) * (config.device == "cuda:0" ? 0.5 : 1.0);
  };
  schema::RunFile run = make_run({configs, law, 12, 3, quiet(), 1});
  const auto picked = [&] { return analyze(std::span(&run, 1)).recommendations.at(0).config; };
  run.outputs = {{2, 0, 0.9999, 0, 10}};
  EXPECT_EQ(picked().device, "cuda:0");
  run.outputs[0].cosine = 0.7;
  EXPECT_EQ(picked().device, "cpu");
}

// Every third call of the model, the first one not being one of them, takes `times` as long as the
// others.
schema::RunFile with_slow_thirds(const std::vector<int64_t>& sizes, int64_t slow_size,
                                 double times) {
  schema::RunFile run = make_run({batch_sizes(sizes), affine(), 12, 9, quiet(), 1});
  for (schema::Visit& visit : run.visits) {
    if (run.configs[static_cast<std::size_t>(visit.config)].shape.batch_size != slow_size) continue;
    for (std::size_t i = 2; i < visit.samples_ns.size(); i += 3) {
      visit.samples_ns[i] = std::llround(times * static_cast<double>(visit.samples_ns[i]));
    }
  }
  return run;
}

TEST(Recommend, ThroughputIsWorkOverTimeNotThatOfATypicalIteration) {
  const schema::RunFile run = with_slow_thirds({1, 2, 4, 8}, 8, 31);
  const findings::Summary summary = analyze(std::span(&run, 1));
  const findings::ConfigRow& eight = summary.groups.at(0).rows.at(3);
  EXPECT_NEAR(eight.time_ms.value, 21, 1e-6);
  EXPECT_NEAR(eight.mean_ms.value, 21 * 11, 1e-6);
  EXPECT_NEAR(eight.throughput_per_s.value, 8 / 0.231, 1e-6);
  EXPECT_NEAR(eight.slow_share, 1.0 / 3, 1e-9);
  EXPECT_TRUE(findings::mean_differs(eight));
  EXPECT_FALSE(findings::mean_differs(summary.groups.at(0).rows.at(0)));
  const findings::Recommendation& pick = summary.recommendations.at(0);
  EXPECT_EQ(pick.config.shape.batch_size, 4);
  EXPECT_THAT(summary.words, testing::Contains(HasSubstr(
                                 "Batch 8: 1 in 3 iterations takes over 1.5 times the typical one, "
                                 "so the mean iteration takes 231 ms, the typical one "
                                 "21.0 ms")));
  EXPECT_THAT(summary.groups.at(0).best_sizes, ElementsAre(4));
}

TEST(Recommend, TheGainIsAgainstTheFirstValueOfEveryOtherAxis) {
  auto configs = batch_sizes({1, 2});
  for (auto config : batch_sizes({1, 2})) {
    config.precision = schema::Precision::bf16;
    configs.push_back(config);
  }
  const auto law = [](const schema::RunConfig& config) {
    const bool bf16 = config.precision == schema::Precision::bf16;
    return affine()(config) * (bf16 ? (config.shape.batch_size == 1 ? 2.0 : 0.5) : 1.0);
  };
  const auto pick = recommended({configs, law, 12, 3, quiet(), 1});
  ASSERT_TRUE(pick.gain);
  EXPECT_NEAR(pick.gain->value, (2 / 4.5) / (1 / 7.0) - 1, 1e-6);
  EXPECT_EQ(pick.gain_against, "batch_size 1 with fp32");
  EXPECT_THAT(pick.message, HasSubstr("more throughput than batch 1 with fp32"));
  EXPECT_NEAR(pick.gain_level, 1 - 0.05 / 3, 1e-12) << "the best of three others";
}

TEST(Recommend, EnvironmentsThatWereAskedForCompete) {
  auto configs = batch_sizes({1, 2});
  for (auto config : batch_sizes({1, 2})) {
    config.environment = {{"MALLOC_ARENA_MAX", "1"}};
    configs.push_back(config);
  }
  const auto law = [](const schema::RunConfig& config) {
    return affine()(config) * (config.environment.empty() ? 1.0 : 0.5);
  };
  schema::RunFile run = make_run({configs, law, 12, 3, quiet(), 1});
  run.header.configurations = 4;
  // What an experiment that could not be measured leaves behind.
  run.configs.push_back(configs.front());
  run.configs.back().environment = {{"GLIBC_TUNABLES", "x"}};
  const auto picks = analyze(std::span(&run, 1)).recommendations;
  ASSERT_EQ(picks.size(), 1U);
  EXPECT_EQ(picks[0].config.environment, configs.back().environment);
  EXPECT_THAT(picks[0].message, HasSubstr("environment MALLOC_ARENA_MAX=1"));
  EXPECT_EQ(picks[0].points_measured, 4);
  EXPECT_EQ(picks[0].points_total, 4);
}

// What looks best sets a variable that is worth half a per cent, less than what matters.
TEST(Recommend, AnEnvironmentThatIsNotShownToBeBetterIsLeftUnchanged) {
  const std::map<std::string, std::string> always{{"OMP_PLACES", "cores"}};
  for (const auto& common : {std::map<std::string, std::string>{}, always}) {
    auto configs = batch_sizes({1, 8});
    for (auto& config : configs) config.environment = common;
    for (auto config : batch_sizes({1, 8})) {
      config.environment = common;
      config.environment["MALLOC_ARENA_MAX"] = "1";
      configs.push_back(config);
    }
    const auto law = [](const schema::RunConfig& config) {
      return affine()(config) * (config.environment.contains("MALLOC_ARENA_MAX") ? 0.995 : 1.0);
    };
    const auto pick = recommended({configs, law, 12, 3, quiet(), 1});
    EXPECT_EQ(pick.config.environment, common);
    EXPECT_EQ(pick.config.shape.batch_size, 8);
    EXPECT_THAT(pick.message, HasSubstr("not significantly better than batch 8 with environment "));
  }
}

TEST(Recommend, EqualSizesShowNoGain) {
  const auto flat = [](const schema::RunConfig& config) {
    return 1e6 * static_cast<double>(config.shape.batch_size);
  };
  int claimed = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    const auto pick =
        recommended({batch_sizes({1, 2, 4, 8, 16, 32}), flat, 12, 3, {0.05, 0, 0, 0, 1}, seed});
    claimed += pick.gain.has_value() ? 1 : 0;
  }
  EXPECT_LE(claimed, 5);
}

TEST(Recommend, WhatDoesNotMatterIsNoAdvice) {
  const auto nearly_flat = [](const schema::RunConfig& config) {
    const auto x = static_cast<double>(config.shape.batch_size);
    return 1e6 * x * (x > 1 ? 0.999 : 1.0);
  };
  const FakeRun fake{batch_sizes({1, 2, 4}), nearly_flat, 12, 3, {0.0001, 0, 0, 0, 1}, 2};
  const auto pick = recommended(fake);
  EXPECT_EQ(pick.config.shape.batch_size, 1);
  EXPECT_FALSE(pick.gain);
  Options options;
  options.practical = 0.0005;
  const schema::RunFile run = make_run(fake);
  EXPECT_EQ(analyze(std::span(&run, 1), options).recommendations.at(0).config.shape.batch_size, 2);
}

TEST(Recommend, WhatCannotBeReportedIsNotRecommendedAndSaysWhatWouldSettleIt) {
  const auto pick =
      recommended({batch_sizes({1, 2}), affine({{2, 1.35}}), 12, 3, {0.3, 0, 0, 0, 1}, 6});
  EXPECT_TRUE(pick.undecided);
  EXPECT_EQ(pick.config.shape.batch_size, 1);
  EXPECT_FALSE(pick.gain);
  ASSERT_TRUE(pick.unconfirmed_best);
  EXPECT_EQ(pick.unconfirmed_best->shape.batch_size, 2);
  ASSERT_TRUE(pick.blocks_needed);
  EXPECT_GT(*pick.blocks_needed, 12);
  EXPECT_THAT(pick.message,
              testing::AllOf(HasSubstr("It is unclear which batch size is best"),
                             HasSubstr("(--blocks "), testing::Not(HasSubstr("batch 2"))));
}

// Batch 4 looks best, but half of its visits are far slower; batch 2 is surely better than 1.
TEST(Recommend, WhatIsShownIsTakenWhereWhatAppearsBestIsNot) {
  schema::RunFile run = make_run({batch_sizes({1, 2, 4}), affine(), 12, 3, {0.01, 0, 0, 0, 1}, 4});
  for (schema::Visit& visit : run.visits) {
    if (visit.config != 2) continue;
    const double factor = visit.block % 2 == 0 ? 0.5 : 3.1;
    for (int64_t& sample : visit.samples_ns) {
      sample = std::llround(static_cast<double>(sample) * factor);
    }
  }
  const findings::Summary summary = analyze(std::span(&run, 1));
  const findings::Recommendation& pick = summary.recommendations.at(0);
  EXPECT_FALSE(pick.undecided) << pick.message;
  EXPECT_EQ(pick.config.shape.batch_size, 2) << pick.message;
  ASSERT_TRUE(pick.gain && pick.gain->ci);
  EXPECT_GT(pick.gain->ci->low, 0);
  EXPECT_THAT(pick.message, HasSubstr("Batch 4 may be better still"));
}

TEST(Recommend, GrowthIsThatOfAnOctaveNotOfNeighbours) {
  const auto law = affine({{8, 0.97}});
  const auto pick = recommended({batch_sizes({2, 4, 7, 8}), law, 12, 3, quiet(), 1});
  EXPECT_EQ(pick.config.shape.batch_size, 8);
  // From batch 4: 21 / 13 ms for twice the work, 3 % less.
  const double growth = 2 * 13 / (21 * 0.97) - 1;
  EXPECT_THAT(pick.message, HasSubstr(fmt::format("({:.0f} % per doubling)", 100 * growth)));
}

TEST(Recommend, AGrowthOfTooFewVisitsIsNoFigure) {
  for (const int blocks : {1, 2, 3}) {
    const auto pick =
        recommended({batch_sizes({2, 4, 7, 8}), affine({{8, 0.97}}), blocks, 3, quiet(), 1});
    EXPECT_THAT(pick.message, HasSubstr("such as 16")) << blocks;
    const bool has_figure = pick.message.find("per doubling") != std::string::npos;
    EXPECT_EQ(has_figure, blocks >= 3) << pick.message;
  }
}

TEST(Recommend, NothingIsCalledSlowerOnTheStrengthOfOneVisit) {
  const auto flat = [](const schema::RunConfig& config) {
    return 1e6 * static_cast<double>(config.shape.batch_size);
  };
  const schema::RunFile run =
      make_run({batch_sizes({1, 2, 4, 8}), flat, 1, 3, {0.1, 0, 0, 0, 1}, 3});
  for (const std::string& sentence : analyze(std::span(&run, 1)).words) {
    EXPECT_THAT(sentence, testing::Not(HasSubstr("longer per sample")));
  }
}

TEST(Recommend, AGrowthThatIsNotShownAsksForNoLargerSizes) {
  int asked = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const auto flat = [](const schema::RunConfig& config) {
      return 1e6 * static_cast<double>(config.shape.batch_size);
    };
    const auto pick = recommended({batch_sizes({1, 2}), flat, 6, 3, {0.2, 0, 0, 0, 1}, seed});
    asked += pick.larger_sizes.empty() ? 0 : 1;
  }
  EXPECT_LE(asked, 2);
}

TEST(Recommend, WhereThroughputStillGrowsLargerSizesAreWorthMeasuring) {
  auto pick = recommended({batch_sizes({1, 2, 4}), affine(), 12, 3, quiet(), 1});
  EXPECT_EQ(pick.config.shape.batch_size, 4);
  EXPECT_THAT(pick.larger_sizes, ElementsAre(8, 16));
  EXPECT_THAT(pick.message, HasSubstr("measure larger ones, such as 8 and 16"));
  pick = recommended({batch_sizes({32, 64, 128}), affine(), 12, 3, quiet(), 1});
  EXPECT_THAT(pick.larger_sizes, testing::IsEmpty()) << "a doubling brings under 5 %";
}

TEST(Recommend, SizesWithFewVisitsAreNotChosen) {
  schema::RunFile run = make_run({batch_sizes({1, 2, 4, 8}), affine(), 12, 3, quiet(), 1});
  std::erase_if(run.visits,
                [](const schema::Visit& visit) { return visit.config == 3 && visit.block >= 5; });
  const findings::Summary summary = analyze(std::span(&run, 1));
  EXPECT_EQ(summary.recommendations.at(0).config.shape.batch_size, 4);
  EXPECT_THAT(summary.groups.at(0).good_sizes, ElementsAre(1, 2, 4));
  EXPECT_EQ(summary.groups.at(0).set_aside.at(0).reason, findings::LeftOutReason::few_visits);
}

// With 12 blocks and the usual noise, most sizes are shown to waste nothing.
TEST(Recommend, UsualNoiseLeavesMostSizesGood) {
  std::size_t good = 0, sizes = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const schema::RunFile run =
        make_run({batch_sizes({1, 2, 4, 8, 16}), affine(), 12, 3, FakeNoise{}, seed});
    const findings::Group group = analyze(std::span(&run, 1)).groups.at(0);
    good += group.good_sizes.size();
    sizes += group.rows.size();
    EXPECT_EQ(group.good_sizes.size() + group.untested_sizes.size(), group.rows.size());
  }
  EXPECT_GT(static_cast<double>(good), 0.9 * static_cast<double>(sizes));
}

}  // namespace
}  // namespace batchscope::analyze
