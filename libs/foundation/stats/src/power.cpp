#include "batchscope/stats/power.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace batchscope::stats {
namespace {

// Below about 3 degrees of freedom the approximation has no solution; this keeps it finite.
constexpr double kLeastCurvature = 0.05;

}  // namespace

double smallest_detectable(const MeanEstimate& estimate, double alpha, double power) {
  if (!(estimate.se > 0)) return 0;
  const double critical = (estimate.value - lower_bound(estimate, 1 - alpha)) / estimate.se;
  const double z = boost::math::quantile(boost::math::normal(), power);
  // The c for which k (c - critical) = z sqrt(1 + (c^2 + critical^2) / (2 df)), where k is the mean
  // of a standard error over the true one.
  const double k2 = std::pow(1 - 1 / (4 * estimate.df), 2);
  const double uncertain = z * z / (2 * estimate.df);
  const double a = std::max(k2 - uncertain, kLeastCurvature);
  const double half_b = k2 * critical;
  const double constant = (k2 - uncertain) * critical * critical - z * z;
  return estimate.se * (half_b + std::sqrt(half_b * half_b - a * constant)) / a;
}

}  // namespace batchscope::stats
