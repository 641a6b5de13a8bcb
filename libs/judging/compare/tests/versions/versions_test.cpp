#include "batchscope/compare/versions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/compare/machines.hpp"
#include "compared_runs.hpp"
#include "testing/runs/fake_run.hpp"

namespace batchscope::compare {
namespace {

using findings::VersionComparison;
using findings::VersionVerdict;
using tables::affine;
using tables::FakeNoise;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<schema::RunConfig> old_and_new() {
  auto configs = tables::batch_sizes({1, 4});
  for (auto& config : configs) config.model = "old";
  for (auto config : tables::batch_sizes({1, 4})) {
    config.model = "new";
    configs.push_back(config);
  }
  return configs;
}

schema::RunFile both(double factor, double visit_sd) {
  const auto law = [factor](const schema::RunConfig& config) {
    return affine()(config) * (config.model == "new" ? factor : 1.0);
  };
  return tables::make_run({old_and_new(), law, 12, 20, FakeNoise{visit_sd, 0, 0.02, 0, 1}, 9});
}

VersionComparison versions(const std::vector<schema::RunFile>& runs, double margin = 0.02,
                           const VersionSides& sides = {}) {
  ComparisonOptions options = with_margin(margin);
  options.baseline_runs = sides.old_runs;
  Compared compared = compared_runs(runs, options);
  findings::Summary summary;
  summary.comparisons = std::move(compared.comparisons);
  summary.gates = {*compared.gate};
  return version_comparison(summary, sides);
}

TEST(Versions, ASlowDownBeyondTheMarginIsSlower) {
  const VersionComparison found = versions({both(1.1, 0.005)});
  EXPECT_EQ(found.verdict, VersionVerdict::slower);
  EXPECT_THAT(found.message, StartsWith("new is slower than old: it takes "));
  EXPECT_THAT(found.message, HasSubstr("2 of 2 configurations regress"));
  ASSERT_EQ(found.rows.size(), 2U);
  EXPECT_NEAR(*found.rows[1].new_ms / *found.rows[1].old_ms, 1.1, 0.01);
  EXPECT_GT(found.rows[1].bounds->low, 0.02);
  EXPECT_GT(*found.detectable, 0.02);
  EXPECT_LT(*found.detectable, 0.1);
}

std::vector<schema::RunConfig> of_model(const std::string& model) {
  auto configs = tables::batch_sizes({1, 4});
  for (auto& config : configs) config.model = model;
  return configs;
}

TEST(Versions, SidesWithoutACommonConfigurationAreStatedToHaveNone) {
  auto both = of_model("x");
  for (const auto& config : of_model("z")) both.push_back(config);
  const auto run = [](const std::vector<schema::RunConfig>& configs) {
    return tables::make_run({configs, affine(), 3, 20, tables::quiet(), 1});
  };
  const VersionComparison none =
      versions({run(of_model("y")), run(both)}, 0.02, {"old.jsonl", "new.jsonl", 1, 1});
  EXPECT_EQ(none.verdict, VersionVerdict::cannot_tell);
  EXPECT_THAT(none.message, HasSubstr("no configuration in common"));
  EXPECT_THAT(none.message, HasSubstr("new.jsonl has no visits of model y at batch 1"));
  auto other = of_model("x");
  for (const auto& config : of_model("y")) other.push_back(config);
  const VersionComparison some =
      versions({run(other), run(both)}, 0.02, {"old.jsonl", "new.jsonl", 1, 1});
  ASSERT_EQ(some.warnings.size(), 1U);
  EXPECT_THAT(some.warnings.front(), HasSubstr("2 of 4 configurations"));
}

TEST(Versions, EqualOnesAreShownToBeSoBothWays) {
  const VersionComparison found = versions({both(1, 0.005)});
  EXPECT_EQ(found.verdict, VersionVerdict::equal);
  EXPECT_THAT(found.message, StartsWith("new and old are equal within 2 %, at all 2 "));
  EXPECT_THAT(found.message, HasSubstr("in the first 20 iterations of a process"));
  ASSERT_TRUE(found.rows.front().reach);
  EXPECT_EQ(found.rows.front().reach->iterations, 20);
}

TEST(Versions, ASlowDownOfSomeIterationsIsReportedOfTheMean) {
  int slower = 0;
  for (const double times : {1.05, 1.08, 1.12, 1.2, 1.5, 3.0, 20.0}) {
    schema::RunFile run = both(1, 0.003);
    for (schema::Visit& visit : run.visits) {
      if (run.configs[static_cast<std::size_t>(visit.config)].model != "new") continue;
      for (std::size_t i = 0; i < visit.samples_ns.size(); i += 3) {
        visit.samples_ns[i] = std::llround(times * static_cast<double>(visit.samples_ns[i]));
      }
    }
    const VersionComparison found = versions({run});
    if (found.verdict != VersionVerdict::slower) continue;
    ++slower;
    const findings::VersionRow& row = found.rows.front();
    EXPECT_GE(row.ratio->value, 1 + row.bounds->low) << times;
    ASSERT_TRUE(row.typical_ratio) << times;
    EXPECT_LT(*row.typical_ratio, 1.02) << times;
    if (row.old_ms) {
      EXPECT_NEAR(*row.new_ms / *row.old_ms, row.ratio->value, 0.02) << times;
    }
    EXPECT_THAT(found.message, HasSubstr("on average"));
  }
  EXPECT_GE(slower, 3);
}

TEST(Versions, AFasterOneIsFaster) {
  const VersionComparison found = versions({both(0.9, 0.005)});
  EXPECT_EQ(found.verdict, VersionVerdict::faster);
  EXPECT_THAT(found.message, StartsWith("new is faster than old: it takes "));
  EXPECT_THAT(found.message, HasSubstr("less time at batch"));
}

TEST(Versions, ASlightlyFasterOneIsNotCalledEqual) {
  // Its bounds reach over the margin on the fast side, which no gate on slow-downs asks.
  const VersionComparison found = versions({both(0.982, 0.005)});
  EXPECT_EQ(found.verdict, VersionVerdict::faster);
}

TEST(Versions, NoiseLeavesItOpen) {
  const VersionComparison found = versions({both(1, 0.08)});
  EXPECT_EQ(found.verdict, VersionVerdict::cannot_tell);
  EXPECT_THAT(found.message, StartsWith("Cannot tell whether new is over 2 % slower than old"));
  EXPECT_GT(*found.detectable, 0.05);
  EXPECT_FALSE(found.advice.empty());
}

TEST(Versions, SingleRunsTellNothing) {
  auto one = both(1, 0.005), other = both(1.3, 0.005);
  const VersionComparison found = versions({one, other}, 0.02, {"a.jsonl", "b.jsonl", 1, 1});
  EXPECT_EQ(found.verdict, VersionVerdict::cannot_tell);
  EXPECT_THAT(found.message, HasSubstr("30 % more time at batch 4"));
  EXPECT_THAT(found.message, HasSubstr("two single runs are not enough"));
  EXPECT_FALSE(found.rows.front().ratio->ci);
}

TEST(Versions, RunsASideAreCalledAsTheirSideIs) {
  std::vector<schema::RunFile> runs;
  for (uint64_t i = 0; i < 6; ++i) {
    const double factor = i < 3 ? 1.0 : 1.2;
    runs.push_back(tables::make_run({tables::batch_sizes({4}), affine({{4, factor}}), 6, 20,
                                     FakeNoise{0.003, 0.002, 0, 0, 1}, i + 1}));
  }
  const VersionComparison found = versions(runs, 0.02, {"main", "branch", 3, 3});
  EXPECT_EQ(found.verdict, VersionVerdict::slower);
  EXPECT_THAT(found.message, StartsWith("branch is slower than main"));
  EXPECT_EQ(found.unit, "runs a side");
}

TEST(Versions, OtherMachinesAreReported) {
  std::vector<schema::RunFile> runs(2);
  runs[0].header.machine.cpu = runs[1].header.machine.cpu = "a cpu";
  EXPECT_FALSE(other_machines(std::span(runs).first(1), std::span(runs).last(1)));
  runs[1].header.machine.cpu = "another";
  const auto reported = other_machines(std::span(runs).first(1), std::span(runs).last(1));
  ASSERT_TRUE(reported);
  EXPECT_THAT(*reported, HasSubstr("a cpu against another"));
}

}  // namespace
}  // namespace batchscope::compare
