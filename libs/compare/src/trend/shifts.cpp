#include "shifts.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::compare {
namespace {

// Sums of the values, less their mean, up to each of them: what lies between two is a difference.
class Sums {
 public:
  explicit Sums(std::span<const double> values) : sums_{0} {
    const double mean = stats::mean(values);
    for (const double value : values) sums_.push_back(sums_.back() + value - mean);
  }

  // The sum of squares between the stretch and the rest, which grows with |t| and is cheaper.
  double between(Stretch stretch) const {
    const auto n = static_cast<double>(sums_.size() - 1);
    const auto inside = static_cast<double>(stretch.end - stretch.begin);
    const double sum = sums_[stretch.end] - sums_[stretch.begin];
    return sum * sum * n / (inside * (n - inside));
  }

 private:
  std::vector<double> sums_;
};

double sum_of_squares(const stats::RunningMoments& moments) {
  return moments.count() < 2 ? 0 : moments.variance() * static_cast<double>(moments.count() - 1);
}

double times(double p, double tests) {
  return std::min(1.0, p * tests);
}

}  // namespace

stats::MeanEstimate shift_of(std::span<const double> values, Stretch stretch) {
  stats::RunningMoments inside, outside;
  for (std::size_t i = 0; i < values.size(); ++i) {
    (stretch.begin <= i && i < stretch.end ? inside : outside).add(values[i]);
  }
  stats::MeanEstimate shift;
  shift.value = inside.mean() - outside.mean();
  shift.n = values.size();
  shift.df = static_cast<double>(values.size()) - 2;
  shift.method = stats::Method::student_t;
  const double variance = (sum_of_squares(inside) + sum_of_squares(outside)) / shift.df;
  shift.se = std::sqrt(variance * (1 / static_cast<double>(inside.count()) +
                                   1 / static_cast<double>(outside.count())));
  return shift;
}

Stretch best_split(std::span<const double> values) {
  const Sums sums(values);
  Stretch best{1, values.size()};
  for (std::size_t at = 2; at < values.size(); ++at) {
    const Stretch split{at, values.size()};
    if (sums.between(split) > sums.between(best)) best = split;
  }
  return best;
}

Stretch best_inner(std::span<const double> values) {
  const Sums sums(values);
  Stretch best{1, 2};
  for (std::size_t begin = 1; begin + 1 < values.size(); ++begin) {
    for (std::size_t end = begin + 1; end < values.size(); ++end) {
      if (sums.between({begin, end}) > sums.between(best)) best = {begin, end};
    }
  }
  return best;
}

double p_of_best_split(std::span<const double> values) {
  if (values.size() < 3) return 1;
  const double p = stats::p_differs(shift_of(values, best_split(values)));
  return times(p, static_cast<double>(values.size()) - 1);
}

double p_of_best_inner(std::span<const double> values) {
  if (values.size() < 3) return 1;
  const double p = stats::p_differs(shift_of(values, best_inner(values)));
  const auto n = static_cast<double>(values.size());
  return times(p, (n - 1) * (n - 2) / 2);
}

}  // namespace batchscope::compare
