#include "contrast_width.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/timing/paired.hpp"
#include "batchscope/timing/slow_iterations.hpp"
#include "batchscope/timing/visits.hpp"

namespace batchscope::measure {
namespace {

// The scaling table's own intervals, so that what stopped the run is what the table prints.
constexpr double kLevel = 0.95;
constexpr stats::Method kMethod = stats::Method::student_t;

constexpr int kMostBlocks = 10'000;

// ln times by configuration and block.
using LogTable = std::vector<timing::LogsByBlock>;

LogTable log_table(const schema::RunFile& run, int blocks, timing::TimeOfVisit time) {
  LogTable table(run.configs.size());
  const timing::RunVisits made =
      timing::visits_of(run, timing::Use::measured, timing::warmups_of(run), blocks);
  for (const auto& [config, visits] : made.by_config) {
    table[static_cast<std::size_t>(config)] = timing::logs_by_block(visits, time);
  }
  return table;
}

std::vector<double> values_of(const timing::LogsByBlock& by_block) {
  std::vector<double> values;
  values.reserve(by_block.size());
  for (const auto& [block, value] : by_block) values.push_back(value);
  return values;
}

double half_width(const std::vector<double>& values) {
  const auto interval = stats::mean_interval(values, kLevel, kMethod);
  return interval ? 0.5 * (interval->high - interval->low)
                  : std::numeric_limits<double>::infinity();
}

// The configurations that differ in batch size only, by what they share.
std::map<schema::RunConfig, std::vector<int>> groups(const schema::RunFile& run,
                                                     const std::vector<int>& configs) {
  std::map<schema::RunConfig, std::vector<int>> by_key;
  for (const int index : configs) {
    by_key[schema::without_batch_size(run.configs[static_cast<std::size_t>(index)])].push_back(
        index);
  }
  return by_key;
}

ContrastWidth make_width(int config, const std::vector<double>& values) {
  return {config, static_cast<int>(values.size()), half_width(values)};
}

std::vector<ContrastWidth> widths_of(const schema::RunFile& run, const std::vector<int>& configs,
                                     const LogTable& table) {
  const auto size_of = [&run](int index) {
    return run.configs[static_cast<std::size_t>(index)].shape.batch_size;
  };
  const auto logs_of = [&table](int index) -> const std::map<int, double>& {
    return table[static_cast<std::size_t>(index)];
  };
  std::vector<ContrastWidth> result;
  for (const auto& [key, members] : groups(run, configs)) {
    const int base = *std::min_element(members.begin(), members.end(),
                                       [&](int a, int b) { return size_of(a) < size_of(b); });
    if (members.size() == 1) result.push_back(make_width(base, values_of(logs_of(base))));
    for (const int config : members) {
      if (config == base) continue;
      result.push_back(make_width(config, timing::paired(logs_of(config), logs_of(base))));
    }
  }
  return result;
}

findings::Estimate time_of(const timing::LogsByBlock& logs_ns) {
  const timing::TimeOverVisits over = timing::milliseconds_over_visits(values_of(logs_ns), kLevel);
  return {over.value, over.interval};
}

// As the table has it, with what the visits have not seen.
findings::Estimate mean_of(const timing::WarmVisits& visits, const timing::SlowIterations& slow,
                           const schema::RunConfig& config) {
  findings::Estimate mean = time_of(timing::logs_by_block(visits, timing::mean_ns));
  if (mean.ci) mean.ci = timing::allowing_for(slow.unseen_by(config, visits.visits), *mean.ci);
  return mean;
}

ConfigEstimate estimate_of(int config, const timing::LogsByBlock& logs) {
  ConfigEstimate estimate;
  estimate.config = config;
  estimate.n = static_cast<int>(logs.size());
  if (logs.empty()) return estimate;
  estimate.time_ms = time_of(logs);
  return estimate;
}

}  // namespace

std::vector<ContrastWidth> contrast_widths(const schema::RunFile& run,
                                           const std::vector<int>& configs, int blocks) {
  return widths_of(run, configs, log_table(run, blocks, timing::typical_ns));
}

std::vector<ConfigEstimate> estimates(const schema::RunFile& run, const std::vector<int>& configs) {
  const LogTable table = log_table(run, timing::kAllBlocks, timing::typical_ns);
  const timing::RunVisits made =
      timing::visits_of(run, timing::Use::measured, timing::warmups_of(run));
  const timing::SlowIterations slow(run);
  std::vector<ConfigEstimate> result;
  result.reserve(configs.size());
  for (const int config : configs) {
    const auto place = static_cast<std::size_t>(config);
    result.push_back(estimate_of(config, table[place]));
    const auto visits = made.by_config.find(config);
    if (visits != made.by_config.end()) {
      result.back().mean_ms = mean_of(visits->second, slow, run.configs[place]);
    }
  }
  for (const ContrastWidth& contrast : widths_of(run, configs, table)) {
    for (ConfigEstimate& estimate : result) {
      if (estimate.config == contrast.config && std::isfinite(contrast.half_width)) {
        estimate.half_width = contrast.half_width;
      }
    }
  }
  return result;
}

bool all_within(const std::vector<ContrastWidth>& widths, double target) {
  return std::all_of(widths.begin(), widths.end(),
                     [target](const ContrastWidth& c) { return c.half_width <= target; });
}

int blocks_needed(const std::vector<ContrastWidth>& widths, int blocks, double target) {
  double most = blocks;
  for (const ContrastWidth& contrast : widths) {
    if (!std::isfinite(contrast.half_width)) continue;
    const double ratio = contrast.half_width / target;
    most = std::max(most, std::ceil(blocks * ratio * ratio));
  }
  return static_cast<int>(std::min<double>(most, kMostBlocks));
}

std::optional<stats::WidthOutlook> outlook(const std::vector<ContrastWidth>& widths, int blocks) {
  constexpr int kFewestBlocks = 3;
  constexpr double kDoubt = 0.001;
  const double confidence =
      1 - kDoubt / static_cast<double>(std::max<std::size_t>(widths.size(), 1));
  std::optional<stats::WidthOutlook> widest;
  for (const ContrastWidth& contrast : widths) {
    if (contrast.n < kFewestBlocks || !std::isfinite(contrast.half_width)) return std::nullopt;
    const auto of_one = stats::width_outlook(contrast.half_width, contrast.n,
                                             std::max(blocks, contrast.n), kLevel, confidence);
    if (!widest) widest = of_one;
    widest->likely = std::max(widest->likely, of_one.likely);
    widest->at_least = std::max(widest->at_least, of_one.at_least);
  }
  return widest;
}

}  // namespace batchscope::measure
