#include "planned_pairs.hpp"

#include <algorithm>
#include <set>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/timing/evidence.hpp"
#include "comparisons/open_comparison.hpp"

namespace batchscope::compare {
namespace {

using schema::RunConfig;
using schema::RunFile;
using tables::AxisDifference;
using tables::ConfigData;
using tables::GroupData;
using tables::RunView;
using tables::single_difference;

// The configurations that the run began with, before experiments added theirs.
std::span<const RunConfig> planned(const RunFile& run) {
  const std::size_t all = run.configs.size();
  const auto began = static_cast<std::size_t>(std::max<int64_t>(run.header.configurations, 0));
  return std::span(run.configs).first(began == 0 ? all : std::min(began, all));
}

bool is_measured(const RunView& view, int config) {
  for (const GroupData& group : view.groups) {
    for (const ConfigData& data : group.configs) {
      if (data.config_index == config) return true;
    }
  }
  return false;
}

void add_run(SideRecord& record, const RunView& view, int config) {
  record.measured |= is_measured(view, config);
  int failures = 0;
  for (const schema::Event& event : view.run->events) {
    if (event.where.config != config || !schema::is_failure(event)) continue;
    ++failures;
    if (record.what.empty()) record.what = schema::in_words(event);
  }
  record.failures += failures;
  record.given_up |= failures >= timing::kFailuresToGiveUp;
}

SideRecord record_of(const RunView& view, std::size_t config) {
  SideRecord record;
  add_run(record, view, static_cast<int>(config));
  return record;
}

SideRecord record_of(const RunSides& sides, std::span<const RunView> runs, const RunConfig& base) {
  SideRecord record;
  for (const RunView& view : runs) {
    const auto configs = planned(*view.run);
    for (std::size_t i = 0; i < configs.size(); ++i) {
      if (is_counterpart(sides, base, configs[i])) add_run(record, view, static_cast<int>(i));
    }
  }
  return record;
}

// Two versions of the same thing. That fp32 is slower than bf16, or training than inference, is no
// regression.
bool are_versions(const AxisDifference& difference) {
  return difference.id == schema::AxisId::model || difference.id == schema::AxisId::environment;
}

// What `a` and `b` differ in, where they are versions of one configuration.
std::optional<AxisDifference> versions(const RunConfig& a, const RunConfig& b) {
  if (a.shape.batch_size != b.shape.batch_size) return std::nullopt;
  auto difference = single_difference(a, b);
  if (difference && !are_versions(*difference)) difference.reset();
  return difference;
}

bool is_first_on_axis(std::span<const RunConfig> configs, std::size_t i, const std::string& axis) {
  return std::none_of(configs.begin(), configs.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](const RunConfig& earlier) {
                        const auto difference = versions(earlier, configs[i]);
                        return difference && difference->axis == axis;
                      });
}

}  // namespace

std::vector<PlannedPair> planned_within(const RunView& view) {
  std::vector<PlannedPair> pairs;
  const auto configs = planned(*view.run);
  for (std::size_t i = 0; i < configs.size(); ++i) {
    for (std::size_t j = i + 1; j < configs.size(); ++j) {
      const auto difference = versions(configs[i], configs[j]);
      if (!difference || !is_first_on_axis(configs, i, difference->axis)) continue;
      pairs.push_back({difference->axis, difference->id, difference->a, difference->b,
                       difference->a_words, difference->b_words,
                       where_words(configs[i], view, difference->axis), configs[i],
                       record_of(view, i), record_of(view, j)});
    }
  }
  return pairs;
}

std::vector<PlannedPair> planned_between(const RunSides& sides) {
  std::vector<PlannedPair> pairs;
  std::set<RunConfig> seen;
  for (const RunView& view : sides.baseline) {
    for (const RunConfig& config : planned(*view.run)) {
      if (!seen.insert(config).second) continue;
      pairs.push_back({"run", std::nullopt, kBaselineSide, kCandidateSide, kBaselineSide,
                       kCandidateSide, where_words(config, view, "run"), config,
                       record_of(sides, sides.baseline, config),
                       record_of(sides, sides.candidate, config)});
    }
  }
  return pairs;
}

}  // namespace batchscope::compare
