#include "trimming.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::stats {

std::size_t trim_count(std::size_t n, double fraction) {
  return static_cast<std::size_t>(std::floor(fraction * static_cast<double>(n) + 1e-9));
}

double trimmed_mean_of_sorted(std::span<const double> ascending, double fraction) {
  const std::size_t cut = trim_count(ascending.size(), fraction);
  return mean(ascending.subspan(cut, ascending.size() - 2 * cut));
}

double winsorized_variance_of_sorted(std::span<const double> ascending, double fraction) {
  const std::size_t n = ascending.size();
  const std::size_t cut = trim_count(n, fraction);
  RunningMoments moments;
  for (std::size_t i = 0; i < n; ++i) moments.add(ascending[std::clamp(i, cut, n - 1 - cut)]);
  return moments.variance();
}

}  // namespace batchscope::stats
