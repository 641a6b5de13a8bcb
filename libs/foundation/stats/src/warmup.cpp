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
// Asked once of each configuration, and nothing is proven of one that fails.
constexpr double kSlowAtTheEnd = 1.02;
constexpr double kAlphaAtTheEnd = 0.01;

using Visits = std::span<const std::span<const double>>;

// Iterations that are asked together: `first` to `last`, excluded.
struct Episode {
  std::size_t first = 0;
  std::size_t last = 1;
};

std::size_t length_of(const Episode& segment) {
  return segment.last - segment.first;
}

Episode next(const Episode& segment) {
  constexpr std::size_t kAlone = 20;  // that each index is asked by itself
  const std::size_t length = segment.last < kAlone ? 1 : segment.last / 5;
  return {segment.last, segment.last + length};
}

// What a stretch is held against: the last third of the visit, since a warm-up may well take more
// than half of it.
std::span<const double> settled_part(std::span<const double> visit, const Episode& segment) {
  const std::size_t third = std::max(kFewestLater, visit.size() / 3);
  return visit.subspan(std::max(segment.last, visit.size() - third));
}

// ln of how much longer a stretch takes than what comes later; nothing when too few visits reach so
// far.
std::optional<MeanEstimate> excess_of(Visits visits, const Episode& segment) {
  std::vector<double> ratios;
  for (const std::span<const double> visit : visits) {
    if (visit.size() < segment.last + kFewestLater) continue;
    const double time = median(visit.subspan(segment.first, length_of(segment)));
    ratios.push_back(std::log(time / median(settled_part(visit, segment))));
  }
  if (ratios.size() < kFewestToTest) return std::nullopt;
  return estimate_mean(ratios);
}

bool is_slow(const MeanEstimate& excess) {
  return excess.value > std::log(kSlowRatio) && p_greater(excess) < kAlpha;
}

// Whether the last tenth of the visits is faster than the third before it, but for the warm-up.
bool settles_at_the_end(Visits visits, std::size_t warmup) {
  std::vector<double> ratios;
  for (const std::span<const double> visit : visits) {
    const std::size_t late = std::max(kFewestLater, visit.size() / 10);
    const std::size_t third = std::max(kFewestLater, visit.size() / 3);
    if (visit.size() < late + kFewestLater) continue;
    const std::size_t last = visit.size() - late;
    const std::size_t first = std::max(warmup, last - std::min(third, last));
    if (last < first + kFewestLater) continue;
    const double earlier = median(visit.subspan(first, last - first));
    ratios.push_back(std::log(earlier / median(visit.last(late))));
  }
  if (ratios.size() < kFewestToTest) return false;
  const auto excess = estimate_mean(ratios);
  return excess && excess->value > std::log(kSlowAtTheEnd) && p_greater(*excess) < kAlphaAtTheEnd;
}

}  // namespace

WarmupNeed needed_warmup(std::span<const std::span<const double>> visits) {
  WarmupNeed need;
  need.visits = visits.size();
  std::size_t quiet = 0;  // stretches in a row that are not slow
  for (Episode segment; segment.last <= kLongestWarmup && quiet < 2; segment = next(segment)) {
    const auto excess = excess_of(visits, segment);
    if (!excess) break;
    if (segment.first == 0) need.first_excess = excess->value;
    const bool slow = is_slow(*excess);
    quiet = slow ? 0 : quiet + 1;
    // It may end within a stretch that is not slow as a whole.
    const bool may_end_here = quiet == 1 && need.iterations > 0 && length_of(segment) > 1;
    if (slow || may_end_here) need.iterations = segment.last;
    if (slow) need.last_excess = excess->value;
  }
  need.determined = quiet > 0;
  if (settles_at_the_end(visits, need.iterations)) {
    need.iterations = std::max<std::size_t>(need.iterations, 1);
    need.determined = false;
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
