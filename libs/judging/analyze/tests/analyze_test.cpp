#include "batchscope/analyze/analyze.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "testing/runs/fake_run.hpp"

namespace batchscope::analyze {
namespace {

using findings::find_kind;
using findings::Status;
using tables::affine;
using tables::batch_sizes;
using tables::FakeNoise;
using tables::make_run;
using tables::quiet;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

FakeNoise little() {
  return {0.004, 0, 0.01, 0, 1};
}

findings::Summary analyze_one(const schema::RunFile& run, const Options& options = {}) {
  return analyze(std::span(&run, 1), options);
}

std::vector<std::string> proven(const findings::Summary& summary) {
  std::vector<std::string> found;
  for (const findings::Finding& finding : summary.findings) {
    if (finding.status != Status::proven) continue;
    found.push_back(finding.id + " " + std::to_string(finding.batch_sizes.front()));
  }
  return found;
}

schema::RunFile run_of(std::vector<int64_t> sizes, std::map<int64_t, double> factors,
                       int blocks = 12) {
  return make_run({batch_sizes(sizes), affine(std::move(factors)), blocks, 3, little(), 3});
}

TEST(Analyze, NoRunIsStatedNotCrashed) {
  const findings::Summary summary = analyze({});
  EXPECT_TRUE(summary.recommendations.empty());
  EXPECT_THAT(summary.warnings, Not(IsEmpty()));
  EXPECT_THAT(summary.words, Not(IsEmpty()));
}

TEST(Analyze, ARunWithoutAVisitIsStated) {
  schema::RunFile run;
  run.configs = batch_sizes({1, 2});
  const findings::Summary summary = analyze_one(run);
  EXPECT_TRUE(summary.groups.empty());
  EXPECT_THAT(summary.warnings, Contains(HasSubstr("no visit to analyse")));
}

TEST(Analyze, AProvenDepartureHasItsEvidence) {
  const findings::Summary summary = analyze_one(run_of({1, 2, 3, 4, 6, 8}, {{4, 1.15}}));
  EXPECT_THAT(proven(summary), ElementsAre("scaling.departure 4"));
  const findings::Finding& finding = summary.findings.front();
  EXPECT_EQ(finding.severity, findings::Severity::medium);
  ASSERT_TRUE(config_of(finding.where) != nullptr && finding.p_value && finding.gain);
  EXPECT_EQ(config_of(finding.where)->shape.batch_size, 4);
  EXPECT_LT(*finding.p_value, 0.05);
  EXPECT_NEAR(finding.gain->low, 0.13, 0.02);
  const auto& excess = finding.evidence.back();
  EXPECT_EQ(excess.metric, "excess_over_law");
  EXPECT_NEAR(excess.estimate.value, 0.15, 0.02);
  EXPECT_GT(excess.estimate.ci->low, 0.03);
  EXPECT_EQ(summary.groups[0].rows[3].verdict, findings::Verdict::proven);
  EXPECT_EQ(summary.groups[0].rows[0].verdict, findings::Verdict::ok);
  EXPECT_EQ(summary.groups[0].departure_verdict, "4 departs");
  EXPECT_NE(find_kind(kinds(), finding.id), nullptr);
}

// What a batch is padded to is the luck of who met in it, not a law of its size.
TEST(Analyze, AMixOfLengthsFollowsNoLawButSplitsOfItAreTested) {
  schema::RunFile run = run_of({1, 2, 3, 4, 6, 8}, {{4, 2.0}});
  for (schema::RunConfig& config : run.configs) {
    config.shape.length_mix = "16-128:uniform";
    config.shape.lengths.assign(static_cast<size_t>(config.shape.batch_size), 64);
  }
  const findings::Summary summary = analyze_one(run);
  EXPECT_THAT(proven(summary), ElementsAre("scaling.dominated 4"));
  EXPECT_EQ(summary.groups.size(), 1u);
  EXPECT_EQ(summary.groups[0].departure_verdict, "untestable");
  EXPECT_THAT(summary.groups[0].suggested_controls, IsEmpty());
  EXPECT_THAT(summary.warnings, Contains(HasSubstr("adding grows with the batch size")));
}

// With a large fixed cost a slow batch 4 still beats every split: odd, yet a good size.
TEST(Analyze, OnlyDominanceChangesTheGoodSizes) {
  const findings::Summary departs = analyze_one(run_of({1, 2, 3, 4, 6, 8}, {{4, 1.15}}));
  EXPECT_THAT(departs.groups[0].good_sizes, ElementsAre(1, 2, 3, 4, 6, 8));
  const findings::Summary dominated = analyze_one(run_of({1, 2, 3, 4, 6, 8}, {{4, 2.0}}));
  EXPECT_THAT(proven(dominated), Contains("scaling.dominated 4"));
  EXPECT_THAT(dominated.groups[0].good_sizes, ElementsAre(1, 2, 3, 6, 8));
}

TEST(Analyze, DominanceNeedsTwelveBlocksDepartureSix) {
  const findings::Summary eight = analyze_one(run_of({1, 2, 3, 4, 6, 8}, {{4, 2.0}}, 8));
  EXPECT_THAT(proven(eight), ElementsAre("scaling.departure 4"));
  bool printed = false;
  for (const findings::Finding& finding : eight.findings) {
    printed = printed || (finding.id == "scaling.dominated" && finding.status == Status::suspect &&
                          finding.what.find("of 12 needed") != std::string::npos);
  }
  EXPECT_TRUE(printed);
  EXPECT_THAT(proven(analyze_one(run_of({1, 2, 3, 4, 6, 8}, {{4, 2.0}}, 5))), IsEmpty());
}

TEST(Analyze, OnlyWhatIsProvenIsToBeAvoided) {
  const auto advice = [](int blocks, Status status) {
    const auto summary = analyze_one(run_of({1, 2, 3, 4, 6, 8}, {{4, 1.3}}, blocks));
    for (const findings::Finding& finding : summary.findings) {
      if (finding.id != "scaling.departure") continue;
      EXPECT_EQ(finding.status, status) << blocks;
      return finding.fix;
    }
    return std::string("no departure");
  };
  EXPECT_THAT(advice(12, Status::proven), testing::StartsWith("Avoid batch 4"));
  EXPECT_THAT(advice(5, Status::suspect), testing::StartsWith("Measure batch 4 again"));
}

TEST(Analyze, OneVisitOfEachSizeHasNoIntervalToSpeakOf) {
  const auto words = [](int blocks) { return analyze_one(run_of({1, 2, 4}, {}, blocks)).words; };
  EXPECT_THAT(words(1), Not(Contains(HasSubstr("CIs in the tables"))));
  EXPECT_THAT(words(1), Contains(HasSubstr("A size with one visit has no CI.")));
  EXPECT_THAT(words(1), Contains(HasSubstr("measured once, each in a fresh process")));
  EXPECT_THAT(words(3), Contains(HasSubstr("The 95 % CIs in the tables")));
}

TEST(Analyze, TheCallersProcessProvesNothing) {
  schema::RunFile run = run_of({1, 2, 3, 4, 6, 8}, {{4, 2.0}});
  run.header.plan.isolation = schema::Isolation::none;
  const findings::Summary summary = analyze_one(run);
  EXPECT_THAT(proven(summary), IsEmpty());
  EXPECT_THAT(summary.findings, Not(IsEmpty()));
  EXPECT_THAT(summary.warnings, Contains(HasSubstr("isolation none")));
}

TEST(Analyze, SendsAProgramThatMeasuredItselfToItself) {
  schema::RunFile run = run_of({1, 2, 3, 4, 6, 8}, {{4, 2.0}});
  run.header.plan.isolation = schema::Isolation::none;
  run.header.origin = schema::Origin::api;
  run.end.reset();
  const findings::Summary summary = analyze_one(run);
  EXPECT_THAT(summary.words, Contains(HasSubstr("run the program again")));
  EXPECT_THAT(summary.warnings, Contains(HasSubstr("did not finish.")));
}

TEST(Analyze, WithoutBatchOneTheSmallestSizeIsTheBase) {
  const findings::Summary summary = analyze_one(run_of({2, 4, 8}, {}));
  EXPECT_EQ(summary.groups[0].base_batch_size, 2);
  EXPECT_NEAR(summary.groups[0].rows[1].expected_ms.value_or(0),
              2 * summary.groups[0].rows[0].time_ms.value, 1e-9);
}

TEST(Analyze, EfficiencyIsExpectedOverTimeWithAnIntervalOfPairs) {
  const findings::Summary summary = analyze_one(run_of({1, 2, 4, 8}, {}));
  const findings::ConfigRow& row = summary.groups[0].rows[2];
  EXPECT_NEAR(row.efficiency->value, *row.expected_ms / row.time_ms.value, 1e-9);
  EXPECT_NEAR(row.relative_slowdown->value, 1 / row.efficiency->value, 1e-9);
  EXPECT_TRUE(row.efficiency->ci->low < row.efficiency->value &&
              row.efficiency->value < row.efficiency->ci->high);
  // What blocks share cancels: the pairs know more than the two times by themselves.
  const double alone = (row.time_ms.ci->high - row.time_ms.ci->low) / row.time_ms.value;
  const double paired =
      (row.efficiency->ci->high - row.efficiency->ci->low) / row.efficiency->value;
  EXPECT_LT(paired, alone);
}

TEST(Analyze, ThroughputCountsSamples) {
  const auto run = make_run({batch_sizes({4}), affine(), 12, 3, quiet(), 1});
  const findings::ConfigRow row = analyze_one(run).groups[0].rows[0];
  EXPECT_NEAR(row.throughput_per_s.value, 4 / 0.013, 0.01);
  EXPECT_NEAR(row.batches_per_s, 1 / 0.013, 0.01);
}

TEST(Analyze, TheSuspicionAtAnEndProposesControls) {
  const findings::Summary summary = analyze_one(run_of({1, 2, 4, 8}, {{8, 1.2}}));
  EXPECT_THAT(proven(summary), IsEmpty());
  EXPECT_THAT(summary.groups[0].suggested_controls, ElementsAre(6, 12));
}

TEST(Analyze, WhatIsProvenNeedsNoControls) {
  const findings::Summary summary = analyze_one(run_of({1, 2, 3, 4, 6, 8}, {{4, 1.15}}));
  EXPECT_THAT(summary.groups[0].suggested_controls, IsEmpty());
}

TEST(Analyze, AQuietRunHasNothingToSettle) {
  const findings::Summary summary = analyze_one(run_of({1, 2, 4, 8}, {}));
  EXPECT_THAT(summary.findings, IsEmpty());
  EXPECT_THAT(summary.groups[0].suggested_controls, IsEmpty());
  EXPECT_THAT(summary.words, Contains(HasSubstr("No proven anomaly")));
}

TEST(Analyze, SaysHowSmallAnExcessItCouldHaveFound) {
  const auto quiet_group = analyze_one(run_of({1, 2, 3, 4, 6, 8}, {})).groups[0];
  ASSERT_TRUE(quiet_group.smallest_provable_excess);
  EXPECT_GT(*quiet_group.smallest_provable_excess, 0.03);
  EXPECT_LT(*quiet_group.smallest_provable_excess, 0.05);
  const auto loud =
      make_run({batch_sizes({1, 2, 3, 4, 6, 8}), affine(), 12, 3, {1, 0, 0, 0, 1}, 3});
  const findings::Summary summary = analyze_one(loud);
  EXPECT_NE(summary.groups[0].departure_verdict, "one law fits all sizes");
  EXPECT_TRUE(proven(summary).empty());
}

// A tenth of the visits take four times as long: a busy machine.
TEST(Analyze, AFindingSurvivesABusyMachine) {
  int found = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const FakeNoise busy{0.015, 0.01, 0.01, 0.1, 4};
    const auto run =
        make_run({batch_sizes({1, 2, 3, 4, 6, 8}), affine({{4, 1.15}}), 12, 3, busy, seed});
    found += proven(analyze_one(run)) == std::vector<std::string>{"scaling.departure 4"} ? 1 : 0;
  }
  EXPECT_GE(found, 18);
}

TEST(Analyze, FindingsComeWorstFirst) {
  const findings::Summary summary = analyze_one(run_of({1, 2, 3, 4, 6, 8, 12, 16}, {{4, 2.2}}));
  for (std::size_t i = 1; i < summary.findings.size(); ++i) {
    EXPECT_GE(summary.findings[i - 1].severity, summary.findings[i].severity);
  }
  EXPECT_EQ(summary.findings.front().severity, findings::Severity::high);
}

TEST(Analyze, TheLawLeavesOutWhatDepartsButItsErrorDoesNot) {
  const findings::Summary summary = analyze_one(run_of({1, 2, 3, 4, 6, 8}, {{4, 1.15}}));
  ASSERT_TRUE(summary.groups[0].law);
  EXPECT_EQ(summary.groups[0].law->kind, "affine");
  EXPECT_NEAR(summary.groups[0].law->coefficients[0], 5, 0.3);
  EXPECT_NEAR(summary.groups[0].law->coefficients[1], 2, 0.1);
  EXPECT_EQ(summary.groups[0].law->worst_batch_size, 4);
  EXPECT_NEAR(summary.groups[0].law->largest_loo_error, 0.15, 0.02);
}

TEST(Analyze, TellsWhetherAFindingHoldsOnTheOtherAxes) {
  auto configs = batch_sizes({1, 2, 3, 4, 6, 8});
  for (auto config : batch_sizes({1, 2, 3, 4, 6, 8})) {
    config.threads = 2;
    configs.push_back(config);
  }
  const auto law = [](const schema::RunConfig& config) {
    return affine(config.threads == 1 ? std::map<int64_t, double>{{4, 1.15}}
                                      : std::map<int64_t, double>{{4, 1.15}, {3, 1.15}})(config);
  };
  const findings::Summary summary = analyze_one(make_run({configs, law, 12, 3, little(), 5}));
  bool same = false, alone = false;
  for (const findings::Finding& finding : summary.findings) {
    if (finding.status != Status::proven) continue;
    const int64_t size = finding.batch_sizes.front();
    same = same || (size == 4 && finding.what.find("Also proven at 2 threads: 15 % longer") !=
                                     std::string::npos);
    alone = alone || (size == 3 && finding.what.find("Not found at 1 thread") != std::string::npos);
  }
  EXPECT_TRUE(same);
  EXPECT_TRUE(alone);
}

// Proven at two threads; at one there are too few blocks to prove it.
TEST(Analyze, TellsWhereElseAFindingIsOnlySuspected) {
  auto configs = batch_sizes({1, 2, 3, 4, 6, 8});
  for (auto config : batch_sizes({1, 2, 3, 4, 6, 8})) {
    config.threads = 2;
    configs.push_back(config);
  }
  schema::RunFile run = make_run({configs, affine({{4, 1.3}}), 12, 3, little(), 5});
  std::erase_if(run.visits, [&](const schema::Visit& visit) {
    return visit.block >= 5 && run.configs[static_cast<std::size_t>(visit.config)].threads == 1;
  });
  bool reported = false;
  for (const findings::Finding& finding : analyze_one(run).findings) {
    if (finding.id != "scaling.departure" || finding.status != Status::proven) continue;
    EXPECT_THAT(finding.what, HasSubstr("Also suspected at 1 thread: 30 % longer"));
    reported = true;
  }
  EXPECT_TRUE(reported);
}

// At one thread there are too few sizes for a law.
TEST(Analyze, TellsWhereAFindingCouldNotBeTested) {
  auto configs = batch_sizes({3, 4});
  for (auto config : batch_sizes({1, 2, 3, 4, 6, 8})) {
    config.threads = 2;
    configs.push_back(config);
  }
  const schema::RunFile run = make_run({configs, affine({{4, 1.3}}), 12, 3, little(), 5});
  bool reported = false;
  for (const findings::Finding& finding : analyze_one(run).findings) {
    if (finding.id != "scaling.departure" || finding.status != Status::proven) continue;
    EXPECT_THAT(finding.what, HasSubstr("Not testable at 1 thread"));
    reported = true;
  }
  EXPECT_TRUE(reported);
}

TEST(Analyze, TheOppositeElsewhereIsNotCalledTheSame) {
  auto configs = batch_sizes({1, 2, 3, 4, 6, 8});
  for (auto config : batch_sizes({1, 2, 3, 4, 6, 8})) {
    config.threads = 2;
    configs.push_back(config);
  }
  const auto law = [](const schema::RunConfig& config) {
    return affine({{4, config.threads == 1 ? 1.3 : 0.8}})(config);
  };
  bool reported = false;
  for (const auto& finding : analyze_one(make_run({configs, law, 12, 3, little(), 5})).findings) {
    if (finding.table != "1 thread" || finding.status != Status::proven) continue;
    EXPECT_THAT(finding.what, HasSubstr("The opposite is proven at 2 threads: 20 % less time"));
    reported = true;
  }
  EXPECT_TRUE(reported);
}

TEST(Analyze, AVisitThatIsTwiceCountsOnce) {
  schema::RunFile run = make_run({batch_sizes({1, 2, 4}), affine(), 12, 3, little(), 5});
  run.visits.push_back(run.visits.front());
  run.configs.push_back(run.configs.front());
  run.visits.push_back(run.visits.front());
  run.visits.back().config = 3;
  const findings::Summary summary = analyze_one(run);
  ASSERT_EQ(summary.groups[0].rows.size(), 3u);
  EXPECT_EQ(summary.groups[0].rows[0].n, 12);
  EXPECT_THAT(summary.warnings,
              testing::Contains(HasSubstr("2 visits ignored: the file has an earlier one")));
}

TEST(Analyze, EachOfSeveralRunsHasItsRecommendation) {
  const std::vector<schema::RunFile> runs{
      make_run({batch_sizes({1, 8}), affine(), 12, 3, little(), 1}),
      make_run({batch_sizes({1, 8}), affine({{8, 9.0}}), 12, 3, little(), 2})};
  Options options;
  options.names = {"a.jsonl", "b.jsonl"};
  const findings::Summary summary = analyze(runs, options);
  EXPECT_THAT(summary.groups.front().label, HasSubstr("a.jsonl"));
  ASSERT_EQ(summary.recommendations.size(), 2u);
  EXPECT_THAT(summary.recommendations[0].message, HasSubstr("a.jsonl: Use batch 8"));
  EXPECT_THAT(summary.recommendations[1].message, HasSubstr("b.jsonl: Use batch 1"));
}

TEST(Analyze, TakesTheRecommendationOfTheSearchThatMadeTheRun) {
  const schema::RunFile run = run_of({1, 2}, {});
  findings::Recommendation searched;
  searched.config = run.configs[0];
  searched.message = "Use what was found.";
  Options options;
  options.recommendations = {searched};
  const findings::Summary summary = analyze_one(run, options);
  ASSERT_EQ(summary.recommendations.size(), 1U);
  EXPECT_EQ(summary.recommendations[0].message, "Use what was found.");
  EXPECT_THAT(summary.words, Contains("Use what was found."));
}

TEST(Analyze, RunsWithoutACommonConfigurationAreDistinguished) {
  auto other = batch_sizes({1, 2});
  for (auto& config : other) config.threads = 4;
  const std::vector<schema::RunFile> runs{
      make_run({batch_sizes({1, 2}), affine(), 12, 3, little(), 1}),
      make_run({other, affine(), 12, 3, little(), 2})};
  const findings::Summary summary = analyze(runs);
  EXPECT_TRUE(summary.comparisons.empty());
  EXPECT_THAT(summary.warnings, Contains(HasSubstr("no configuration in common")));
}

TEST(Analyze, SaysWhenThereAreTooManySizesForALaw) {
  std::vector<int64_t> sizes(32);
  std::iota(sizes.begin(), sizes.end(), 1);
  const auto run = make_run({batch_sizes(sizes), affine(), 12, 3, little(), 1});
  EXPECT_THAT(analyze_one(run).warnings, testing::Contains(HasSubstr("more than 31 batch sizes")));
}

}  // namespace
}  // namespace batchscope::analyze
