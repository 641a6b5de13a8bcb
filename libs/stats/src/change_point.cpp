#include "batchscope/stats/change_point.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/stats/descriptive.hpp"
#include "segment_cost.hpp"

namespace batchscope::stats {
namespace {

constexpr double kMeanPenalty = 7.0;
constexpr double kMeanAndVariancePenalty = 10.0;
constexpr std::size_t kNeighbours = 3;
constexpr double kSpikeInStd = 4.0;

// The median of `index` and up to kNeighbours values at each side. With the value itself the count
// is odd, so the last value before a shift keeps the level it belongs to.
double local_median(std::span<const double> series, std::size_t index) {
  const std::size_t first = index - kNeighbours;
  const std::size_t last = std::min(index + kNeighbours + 1, series.size());
  return median(series.subspan(first, last - first));
}

std::vector<double> without_spikes(std::span<const double> series) {
  const double limit = kSpikeInStd * spread_between_shifts(series);
  std::vector<double> calm(series.begin(), series.end());
  for (std::size_t i = kNeighbours; i < calm.size(); ++i) {
    const double usual = local_median(series, i);
    if (std::abs(series[i] - usual) > limit) calm[i] = usual;
  }
  return calm;
}

Segment describe(std::span<const double> series, std::size_t first, std::size_t last) {
  RunningMoments moments;
  for (const double value : series.subspan(first, last - first)) moments.add(value);
  return {first, last, moments.mean(), last - first < 2 ? 0.0 : std::sqrt(moments.variance())};
}

}  // namespace

std::optional<std::vector<Segment>> find_segments(std::span<const double> series,
                                                  const ChangePointOptions& options) {
  if (series.size() < kFewestForChangePoints) return std::nullopt;
  std::vector<double> searched(series.begin(), series.end());
  if (options.despike) searched = without_spikes(series);
  const bool mean_only = options.kind == ChangeKind::mean;
  const std::size_t shortest = std::max<std::size_t>(options.min_segment, mean_only ? 1 : 2);
  const double factor =
      options.penalty_factor.value_or(mean_only ? kMeanPenalty : kMeanAndVariancePenalty);
  const double penalty = factor * std::log(static_cast<double>(series.size()));
  std::vector<std::size_t> bounds = pelt(SegmentCost(searched, options.kind), penalty, shortest);
  bounds.push_back(series.size());
  std::vector<Segment> segments;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    segments.push_back(describe(series, bounds[i], bounds[i + 1]));
  }
  return segments;
}

}  // namespace batchscope::stats
