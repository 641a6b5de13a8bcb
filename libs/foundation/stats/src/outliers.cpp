#include "batchscope/stats/outliers.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::stats {
namespace {

constexpr std::size_t kFewestForQuartiles = 4;
constexpr double kInner = 1.5;
constexpr double kOuter = 3.0;

}  // namespace

Outlier TukeyFences::label(double value) const {
  if (value < outer_low || value > outer_high) return Outlier::extreme;
  if (value < inner_low || value > inner_high) return Outlier::mild;
  return Outlier::none;
}

TukeyFences tukey_fences(std::span<const double> values) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (values.size() < kFewestForQuartiles) return {-kInfinity, kInfinity, -kInfinity, kInfinity};
  std::vector<double> ascending(values.begin(), values.end());
  std::sort(ascending.begin(), ascending.end());
  const double q1 = sorted_quantile(ascending, 0.25);
  const double q3 = sorted_quantile(ascending, 0.75);
  const double iqr = q3 - q1;
  return {q1 - kInner * iqr, q3 + kInner * iqr, q1 - kOuter * iqr, q3 + kOuter * iqr};
}

}  // namespace batchscope::stats
