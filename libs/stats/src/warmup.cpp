#include "batchscope/stats/warmup.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/mean_estimate.hpp"

namespace batchscope::stats {
namespace {

constexpr std::size_t kFewestLater = 3;
constexpr double kSlowRatio = 1.01;
constexpr double kAlpha = 0.05;

// What an iteration is held against: the last third of those that are looked at, since a warm-up
// may well take more than half of them.
std::span<const double> settled_part(std::span<const double> seen, std::size_t index) {
  const std::size_t third = std::max(kFewestLater, seen.size() / 3);
  return seen.subspan(std::max(index + 1, seen.size() - third));
}

// Nothing when too few visits reach so far.
std::optional<bool> is_slow(std::span<const std::span<const double>> visits, std::size_t index) {
  std::vector<double> ratios;
  for (const std::span<const double> visit : visits) {
    const std::span<const double> seen = visit.first(std::min(visit.size(), kLongestWarmup));
    if (seen.size() < index + 1 + kFewestLater) continue;
    ratios.push_back(std::log(seen[index] / median(settled_part(seen, index))));
  }
  if (ratios.size() < kFewestToTest) return std::nullopt;
  const auto estimate = estimate_mean(ratios);
  if (!estimate) return std::nullopt;
  return estimate->value > std::log(kSlowRatio) && p_greater(*estimate) < kAlpha;
}

}  // namespace

WarmupNeed needed_warmup(std::span<const std::span<const double>> visits) {
  WarmupNeed need;
  need.visits = visits.size();
  std::size_t quiet = 0;  // indices in a row that are not slow
  for (std::size_t index = 0; index < kLongestWarmup; ++index) {
    const auto slow = is_slow(visits, index);
    if (!slow) {
      need.determined = quiet > 0;
      return need;
    }
    quiet = *slow ? 0 : quiet + 1;
    if (*slow) need.iterations = index + 1;
    if (quiet == 2) {
      need.determined = true;
      return need;
    }
  }
  return need;
}

PooledWarmup pooled_warmup(std::span<const std::span<const double>> visits_ns) {
  std::vector<std::span<const double>> quick, slow;
  for (const std::span<const double> visit : visits_ns) {
    if (visit.empty()) continue;
    const double typical = median(visit.first(std::min(visit.size(), kLongestWarmup)));
    (typical < kLongIterationNs ? quick : slow).push_back(visit);
  }
  return {needed_warmup(quick), needed_warmup(slow)};
}

}  // namespace batchscope::stats
