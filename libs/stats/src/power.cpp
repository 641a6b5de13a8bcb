#include "batchscope/stats/power.hpp"

#include <cmath>

namespace batchscope::stats {
namespace {

constexpr double kNormal80 = 0.8416;  // the standard normal's 80 % quantile

}  // namespace

double shown_in_four_of_five(const MeanEstimate& estimate, double alpha) {
  if (!(estimate.se > 0)) return 0;
  const double critical = (estimate.value - lower_bound(estimate, 1 - alpha)) / estimate.se;
  const double spread = std::sqrt(1 + critical * critical / (2 * estimate.df));
  return estimate.se * (critical * (1 - 1 / (4 * estimate.df)) + kNormal80 * spread);
}

}  // namespace batchscope::stats
