#include "batchscope/stats/clustered_quantile.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/stats/binomial.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "student.hpp"

namespace batchscope::stats {
namespace {

constexpr std::size_t kFewestGroups = 3;

std::vector<double> pooled(const std::vector<std::vector<double>>& groups) {
  std::vector<double> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  std::sort(all.begin(), all.end());
  return all;
}

// Variance of the share of values up to `at`, a ratio estimate over groups of unequal size
// [Cochran 1977, eq. 11.30]; at least that of as many independent values.
double variance_of_share(const std::vector<std::vector<double>>& groups, double at,
                         double probability, double n) {
  double squares = 0, counted = 0, share = 0;
  for (const auto& group : groups) {
    share += static_cast<double>(
        std::count_if(group.begin(), group.end(), [at](double value) { return value <= at; }));
  }
  share /= n;
  for (const auto& group : groups) {
    if (group.empty()) continue;
    const auto below = static_cast<double>(
        std::count_if(group.begin(), group.end(), [at](double value) { return value <= at; }));
    squares += std::pow(below - share * static_cast<double>(group.size()), 2);
    ++counted;
  }
  const double between = counted / (counted - 1) * squares / (n * n);
  return std::max(between, probability * (1 - probability) / n);
}

}  // namespace

std::optional<QuantileInterval> clustered_quantile_interval(
    const std::vector<std::vector<double>>& groups, double probability, double level) {
  const auto used = static_cast<std::size_t>(std::count_if(
      groups.begin(), groups.end(), [](const auto& group) { return !group.empty(); }));
  const std::vector<double> all = pooled(groups);
  if (used < kFewestGroups || all.size() < quantile_sample_size(probability, level)) {
    return std::nullopt;
  }
  const auto n = static_cast<double>(all.size());
  const double value = quantile(all, probability);
  const double half = student_upper_quantile((1 - level) / 2, static_cast<double>(used - 1)) *
                      std::sqrt(variance_of_share(groups, value, probability, n));
  const double low = probability - half, high = probability + half;
  if (low <= 0 || high >= 1) return std::nullopt;
  return QuantileInterval{value, quantile(all, low), quantile(all, high), all.size(), level};
}

}  // namespace batchscope::stats
