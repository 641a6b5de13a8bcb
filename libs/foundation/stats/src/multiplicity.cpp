#include "batchscope/stats/multiplicity.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace batchscope::stats {
namespace {

// Indices of the p-values from smallest to largest; equal ones keep their input order.
std::vector<std::size_t> ascending_order(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  return order;
}

}  // namespace

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  const std::vector<std::size_t> order = ascending_order(p_values);
  std::vector<double> adjusted(p_values.size());
  double largest = 0.0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double scaled = static_cast<double>(order.size() - rank) * p_values[order[rank]];
    largest = std::max(largest, std::min(1.0, scaled));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

std::vector<HolmVerdict> holm(std::span<const double> p_values, double family_alpha) {
  const std::vector<std::size_t> order = ascending_order(p_values);
  const std::vector<double> adjusted = holm_adjusted(p_values);
  std::vector<HolmVerdict> verdicts(p_values.size());
  bool rejecting = true;
  double alpha = 0.0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const std::size_t index = order[rank];
    // After the first hypothesis that stands, all stand, and its level is the one they failed.
    if (rejecting) alpha = family_alpha / static_cast<double>(order.size() - rank);
    rejecting = rejecting && p_values[index] <= alpha;
    verdicts[index] = {adjusted[index], rejecting, alpha};
  }
  return verdicts;
}

}  // namespace batchscope::stats
