#include "batchscope/tables/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "batchscope/schema/visit.hpp"
#include "batchscope/stats/binomial.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/outliers.hpp"
#include "batchscope/tables/estimates.hpp"

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

// Sums of squares of a one-way layout of ln times, visits as groups.
struct Layout {
  double between = 0;
  double within = 0;
  double n = 0;
  double squares = 0;  // of the visits' sizes
  double groups = 0;
};

Layout layout_of(const ConfigData& config) {
  Layout layout;
  stats::RunningMoments all;
  std::vector<stats::RunningMoments> visits;
  for (const UsableVisit& usable : config.visits) {
    stats::RunningMoments& visit = visits.emplace_back();
    for (const auto samples : usable.series) {
      for (const int64_t sample : samples) {
        visit.add(std::log(static_cast<double>(sample)));
        all.add(std::log(static_cast<double>(sample)));
      }
    }
  }
  for (const stats::RunningMoments& visit : visits) {
    const auto size = static_cast<double>(visit.count());
    layout.n += size;
    layout.squares += size * size;
    layout.between += size * std::pow(visit.mean() - all.mean(), 2);
    if (visit.count() > 1) layout.within += visit.variance() * (size - 1);
  }
  layout.groups = static_cast<double>(visits.size());
  return layout;
}

// How many independent iterations the pooled ones are worth; 0 with a single visit, which cannot
// tell.
std::size_t effective_size(const ConfigData& config) {
  const Layout layout = layout_of(config);
  if (layout.groups < 2) return 0;
  if (layout.n <= layout.groups) return static_cast<std::size_t>(layout.n);
  const double between = layout.between / (layout.groups - 1);
  const double within = layout.within / (layout.n - layout.groups);
  const double size = (layout.n - layout.squares / layout.n) / (layout.groups - 1);
  const double total = between + (size - 1) * within;
  const double correlation = total > 0 ? std::clamp((between - within) / total, 0.0, 1.0) : 0.0;
  return static_cast<std::size_t>(layout.n / (1 + (size - 1) * correlation));
}

std::optional<findings::Estimate> quantile(const std::vector<double>& sorted, std::size_t effective,
                                           double probability) {
  const auto ranks = stats::quantile_ranks(effective, probability, kLevel);
  if (!ranks) return std::nullopt;
  const auto at = [&](std::size_t rank) {
    return stats::sorted_quantile(
        sorted, static_cast<double>(rank - 1) / static_cast<double>(effective - 1));
  };
  return findings::Estimate{stats::sorted_quantile(sorted, probability),
                            stats::Interval{at(ranks->low), at(ranks->high)}};
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

}  // namespace

findings::Distribution distribution_of(const ConfigData& config) {
  findings::Distribution result;
  std::vector<double> sorted;
  for (const auto& [ms, weight] : sorted_ms(config)) {
    sorted.push_back(ms);
    result.weights.push_back(weight);
  }
  if (sorted.empty()) return result;
  result.of_series = std::any_of(
      config.visits.begin(), config.visits.end(),
      [](const UsableVisit& usable) { return usable.visit->iterations_per_sample > 1; });
  result.min_ms = sorted.front();
  result.q1_ms = stats::sorted_quantile(sorted, 0.25);
  result.median_ms = stats::sorted_quantile(sorted, 0.5);
  result.q3_ms = stats::sorted_quantile(sorted, 0.75);
  result.max_ms = sorted.back();
  result.samples_ms = sorted;
  fill_outliers(sorted, result);
  const std::size_t effective = effective_size(config);
  result.p50_ms = quantile(sorted, effective, 0.5);
  result.p90_ms = quantile(sorted, effective, 0.9);
  result.p95_ms = quantile(sorted, effective, 0.95);
  result.p99_ms = quantile(sorted, effective, 0.99);
  return result;
}

}  // namespace batchscope::tables
