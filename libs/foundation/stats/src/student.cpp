#include "student.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

namespace batchscope::stats {
namespace {

// Values, not exceptions, where a tail is too small for a double.
using Policy = boost::math::policies::policy<
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;
using Student = boost::math::students_t_distribution<double, Policy>;

}  // namespace

double student_upper_tail(double t, double df) {
  if (std::isinf(t)) return t > 0.0 ? 0.0 : 1.0;
  return boost::math::cdf(boost::math::complement(Student(df), t));
}

double student_upper_quantile(double tail, double df) {
  if (tail <= 0.0) return std::numeric_limits<double>::infinity();
  if (tail >= 1.0) return -std::numeric_limits<double>::infinity();
  return boost::math::quantile(boost::math::complement(Student(df), tail));
}

}  // namespace batchscope::stats
