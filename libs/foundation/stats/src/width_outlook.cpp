#include "batchscope/stats/width_outlook.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "student.hpp"

namespace batchscope::stats {

WidthOutlook width_outlook(double half_width, int n, int wanted, double level, double confidence) {
  const double tail = (1 - level) / 2;
  const double t_now = student_upper_quantile(tail, n - 1);
  const double t_then = student_upper_quantile(tail, wanted - 1);
  const double likely = half_width * (t_then / t_now) * std::sqrt(static_cast<double>(n) / wanted);
  // (n - 1) s^2 / sigma^2 lies below this with probability `confidence`.
  const double most = 2 * boost::math::gamma_p_inv((n - 1) / 2.0, confidence);
  return {likely, likely * std::sqrt((n - 1) / most)};
}

}  // namespace batchscope::stats
