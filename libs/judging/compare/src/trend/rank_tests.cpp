#include "rank_tests.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "batchscope/stats/rank_scores.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::compare {
namespace {

constexpr uint64_t kSeed = 0x7e5d;
// Of the orders that are drawn, so many may stand out as much: enough that the share is told well.
constexpr double kMayBeOutlier = 20;
// Sums of the same scores in another order differ by less.
constexpr double kRounding = 1e-9;

// `best` finds what stands out most.
template <class Best>
std::optional<Episode> shown(std::span<const double> values, double alpha, const Best& best) {
  std::vector<double> scores = stats::normal_scores(values);
  const Standout seen = best(scores);
  const double orders = std::ceil(kMayBeOutlier / alpha);
  const auto may_be_as_clear = static_cast<std::size_t>(alpha * orders);
  std::size_t as_clear = 1;  // the order that was seen
  stats::Rng rng(kSeed);
  for (std::size_t left = static_cast<std::size_t>(orders) - 1; left > 0; --left) {
    rng.shuffle(std::span(scores));
    if (best(scores).between >= seen.between * (1 - kRounding)) ++as_clear;
    if (as_clear > may_be_as_clear) return std::nullopt;
  }
  return seen.segment;
}

}  // namespace

std::optional<Episode> shown_split(std::span<const double> values, double alpha) {
  if (values.size() < 2 * kValuesOfLevel) return std::nullopt;
  return shown(values, alpha,
               [](std::span<const double> scores) { return best_split(scores, kValuesOfLevel); });
}

std::optional<Episode> shown_inner(std::span<const double> values, double alpha) {
  if (values.size() < 3 * kValuesOfLevel) return std::nullopt;
  return shown(values, alpha, [](std::span<const double> scores) { return best_inner(scores); });
}

bool can_show_split(std::size_t values, double alpha) {
  if (values < 2 * kValuesOfLevel) return false;
  // So many ways to choose which half comes first; twice what is needed, as orders are drawn.
  double ways = 1;
  const std::size_t half = values / 2;
  for (std::size_t i = 1; i <= half; ++i) {
    ways *= static_cast<double>(values - half + i) / static_cast<double>(i);
  }
  return 2 / ways <= alpha / 2;
}

}  // namespace batchscope::compare
