// Intervals and p-values of an estimate.

#include <cmath>
#include <limits>

#include "batchscope/stats/mean_estimate.hpp"
#include "student.hpp"

namespace batchscope::stats {
namespace {

// How many standard errors `distance` is. A spread of zero leaves no doubt: only the sign counts,
// and a distance of zero is no evidence.
double in_standard_errors(double distance, double se) {
  if (se > 0.0) return distance / se;
  if (distance == 0.0) return 0.0;
  return std::copysign(std::numeric_limits<double>::infinity(), distance);
}

}  // namespace

Interval two_sided_interval(const MeanEstimate& estimate, double level) {
  const double half = estimate.se * student_upper_quantile((1.0 - level) / 2.0, estimate.df);
  return {estimate.value - half, estimate.value + half};
}

double lower_bound(const MeanEstimate& estimate, double level) {
  return estimate.value - estimate.se * student_upper_quantile(1.0 - level, estimate.df);
}

double upper_bound(const MeanEstimate& estimate, double level) {
  return estimate.value + estimate.se * student_upper_quantile(1.0 - level, estimate.df);
}

double p_differs(const MeanEstimate& estimate, double value) {
  const double distance = std::abs(estimate.value - value);
  return 2.0 * student_upper_tail(in_standard_errors(distance, estimate.se), estimate.df);
}

double p_greater(const MeanEstimate& estimate, double delta) {
  return student_upper_tail(in_standard_errors(estimate.value - delta, estimate.se), estimate.df);
}

double p_less(const MeanEstimate& estimate, double delta) {
  return student_upper_tail(in_standard_errors(delta - estimate.value, estimate.se), estimate.df);
}

double p_outside_margin(const MeanEstimate& estimate, double delta) {
  const double size = std::abs(estimate.value);
  return student_upper_tail(in_standard_errors(size - delta, estimate.se), estimate.df) +
         student_upper_tail(in_standard_errors(size + delta, estimate.se), estimate.df);
}

}  // namespace batchscope::stats
