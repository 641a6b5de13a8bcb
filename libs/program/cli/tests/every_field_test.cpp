#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "batchscope/report/csv.hpp"
#include "batchscope/report/max_batch.hpp"
#include "batchscope/report/plan.hpp"
#include "batchscope/report/profile.hpp"
#include "batchscope/schema/json.hpp"
#include "testing/runs/changed_fields.hpp"
#include "testing/runs/sample_run.hpp"

// A configuration is told in many outputs. Each is to tell all of it: two configurations that look
// alike there would be taken for one.

namespace batchscope::cli {
namespace {

using schema::RunConfig;

std::string as_planned(const RunConfig& config) {
  return report::dry_run_json({}, std::span(&config, 1), {});
}

std::string as_measured(const RunConfig& config) {
  schema::RunFile run;
  run.configs = {config};
  const measure::ConfigEstimate estimate{};
  return report::profile_json(run, std::span(&estimate, 1), "run.jsonl", {});
}

std::string as_analyzed(const RunConfig& config) {
  return schema::config_json<nlohmann::ordered_json>(config).dump();
}

std::string as_largest(const RunConfig& config) {
  capacity::MaxBatchResult result;
  result.found.emplace_back().config = config;
  return report::max_batch_json(result);
}

std::string as_served(const RunConfig& config) {
  planning::CapacityPlan plan;
  plan.config = config;
  return report::plan_json(plan);
}

std::string as_csv(const RunConfig& config) {
  findings::Summary summary;
  findings::Group& group = summary.groups.emplace_back();
  group.key = schema::without_batch_size(config);
  group.rows.emplace_back().config = config;
  return report::csv(summary);
}

// With the fields that nothing tells apart there.
std::set<std::string> lost_by(std::string (*output)(const RunConfig&)) {
  std::set<std::string> lost;
  for (const RunConfig& config : {schema::sample_config(), schema::sample_mix_config()}) {
    for (const schema::ChangedField& changed : schema::each_field_changed(config)) {
      EXPECT_NE(changed.config, config) << changed.field << " was not changed";
      if (output(changed.config) == output(config)) lost.insert(changed.field);
    }
  }
  return lost;
}

using Fields = std::set<std::string>;

TEST(EveryField, IsInThePlanOfARun) {
  EXPECT_EQ(lost_by(as_planned), Fields{});
}

TEST(EveryField, IsInTheResultsOfARun) {
  EXPECT_EQ(lost_by(as_measured), Fields{});
}

TEST(EveryField, IsInTheAnalysis) {
  EXPECT_EQ(lost_by(as_analyzed), Fields{});
}

TEST(EveryField, IsInTheCsv) {
  EXPECT_EQ(lost_by(as_csv), Fields{});
}

// These look for a batch size.
TEST(EveryField, ButTheBatchSizeIsWithTheLargestBatch) {
  EXPECT_EQ(lost_by(as_largest), Fields{"batch_size"});
}

TEST(EveryField, ButTheBatchSizeIsInAPlanForServing) {
  EXPECT_EQ(lost_by(as_served), Fields{"batch_size"});
}

}  // namespace
}  // namespace batchscope::cli
