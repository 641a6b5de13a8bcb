#include "batchscope/stats/poisson.hpp"

#include <boost/math/special_functions/gamma.hpp>

namespace batchscope::stats {

double poisson_lower(double seen, double level) {
  return seen > 0 ? boost::math::gamma_p_inv(seen, 1 - level) : 0;
}

double poisson_upper(double seen, double level) {
  return boost::math::gamma_q_inv(seen + 1, 1 - level);
}

}  // namespace batchscope::stats
