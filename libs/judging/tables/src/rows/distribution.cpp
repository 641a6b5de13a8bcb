#include "batchscope/tables/distribution.hpp"

#include <algorithm>
#include <utility>

#include "batchscope/schema/visit.hpp"
#include "batchscope/stats/clustered_quantile.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/outliers.hpp"
#include "batchscope/tables/estimates.hpp"
#include "batchscope/timing/visits.hpp"

namespace batchscope::tables {
namespace {

constexpr double kLevel = 0.95;
constexpr std::size_t kMostPoints = 200;

// Ascending, with what each weighs: all visits alike.
std::vector<std::pair<double, double>> sorted_ms(const ConfigData& config) {
  std::vector<std::pair<double, double>> all;
  for (const UsableVisit& usable : config.visits) {
    std::size_t iterations = 0;
    for (const auto samples : usable.series) iterations += samples.size();
    for (const auto samples : usable.series) {
      for (const int64_t sample : samples) {
        all.emplace_back(static_cast<double>(sample) / kNsPerMs,
                         1 / static_cast<double>(iterations));
      }
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

using Groups = std::vector<std::vector<double>>;

// Times in ms, a group a visit: its iterations are alike, so that visits are the sample.
Groups by_visit(const ConfigData& config) {
  Groups groups;
  for (const UsableVisit& usable : config.visits) {
    std::vector<double>& visit = groups.emplace_back();
    for (const auto samples : usable.series) {
      for (const int64_t sample : samples) visit.push_back(static_cast<double>(sample) / kNsPerMs);
    }
  }
  return groups;
}

std::optional<findings::Estimate> quantile(const Groups& groups, double probability,
                                           double level = kLevel) {
  const auto reported = stats::clustered_quantile_interval(groups, probability, level);
  if (!reported) return std::nullopt;
  return findings::Estimate{reported->value, stats::Interval{reported->low, reported->high}};
}

std::vector<double> picked_evenly(const std::vector<double>& values, std::size_t most) {
  if (values.size() <= most) return values;
  std::vector<double> picked;
  for (std::size_t i = 0; i < most; ++i) {
    picked.push_back(values[i * (values.size() - 1) / (most - 1)]);
  }
  return picked;
}

void fill_outliers(const std::vector<double>& sorted, findings::Distribution& result) {
  const stats::TukeyFences fences = stats::tukey_fences(sorted);
  std::vector<double> points{sorted.front()};
  result.whisker_low_ms = sorted.back();
  result.whisker_high_ms = sorted.front();
  for (const double value : sorted) {
    const stats::Outlier label = fences.label(value);
    if (label == stats::Outlier::none) {
      result.whisker_low_ms = std::min(result.whisker_low_ms, value);
      result.whisker_high_ms = std::max(result.whisker_high_ms, value);
      continue;
    }
    ++(label == stats::Outlier::mild ? result.mild_outliers : result.extreme_outliers);
    points.push_back(value);
  }
  if (sorted.size() > 1) points.push_back(sorted.back());
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  result.points_ms = picked_evenly(points, kMostPoints);
}

bool is_of_series(const ConfigData& config) {
  return std::any_of(config.visits.begin(), config.visits.end(), [](const UsableVisit& usable) {
    return usable.visit->iterations_per_sample > 1;
  });
}

}  // namespace

findings::Distribution distribution_of(const ConfigData& config) {
  findings::Distribution result;
  std::vector<double> sorted;
  for (const auto& [ms, weight] : sorted_ms(config)) {
    sorted.push_back(ms);
    result.weights.push_back(weight);
  }
  if (sorted.empty()) return result;
  result.of_series = is_of_series(config);
  result.min_ms = sorted.front();
  result.q1_ms = stats::sorted_quantile(sorted, 0.25);
  result.median_ms = stats::sorted_quantile(sorted, 0.5);
  result.q3_ms = stats::sorted_quantile(sorted, 0.75);
  result.max_ms = sorted.back();
  result.samples_ms = sorted;
  fill_outliers(sorted, result);
  const Groups groups = by_visit(config);
  result.p50_ms = quantile(groups, 0.5);
  result.p90_ms = quantile(groups, 0.9);
  result.p95_ms = quantile(groups, 0.95);
  result.p99_ms = quantile(groups, 0.99);
  return result;
}

std::optional<findings::Estimate> latency_of(const ConfigData& config,
                                             schema::LatencyStatistic statistic, double level,
                                             stats::Method method) {
  const auto probability = schema::probability_of(statistic);
  const bool typical = statistic == schema::LatencyStatistic::p50;
  if (probability && !typical) {
    return is_of_series(config) ? std::nullopt : quantile(by_visit(config), *probability, level);
  }
  if (config.visits.empty()) return std::nullopt;
  const auto logs = timing::logs_of(config.visits, typical ? timing::typical_ns : timing::mean_ns);
  return scaled(exp_estimate(logs, level, method), 1 / kNsPerMs);
}

}  // namespace batchscope::tables
