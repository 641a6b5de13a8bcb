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

double times(double p, std::size_t tests) {
  return std::min(1.0, p * static_cast<double>(tests));
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

std::size_t splits_of(std::size_t values) {
  return values < 2 * kValuesOfLevel ? 0 : values - 2 * kValuesOfLevel + 1;
}

std::size_t inner_stretches_of(std::size_t values) {
  if (values < 3 * kValuesOfLevel) return 0;
  const std::size_t ends = values - 3 * kValuesOfLevel + 1;
  return ends * (ends + 1) / 2;
}

Stretch best_split(std::span<const double> values) {
  const Sums sums(values);
  Stretch best{kValuesOfLevel, values.size()};
  for (std::size_t at = best.begin + 1; at + kValuesOfLevel <= values.size(); ++at) {
    const Stretch split{at, values.size()};
    if (sums.between(split) > sums.between(best)) best = split;
  }
  return best;
}

Stretch best_inner(std::span<const double> values) {
  const Sums sums(values);
  const std::size_t last = values.size() - kValuesOfLevel;
  Stretch best{kValuesOfLevel, 2 * kValuesOfLevel};
  for (std::size_t begin = kValuesOfLevel; begin + kValuesOfLevel <= last; ++begin) {
    for (std::size_t end = begin + kValuesOfLevel; end <= last; ++end) {
      if (sums.between({begin, end}) > sums.between(best)) best = {begin, end};
    }
  }
  return best;
}

double p_of_best_split(std::span<const double> values) {
  const std::size_t tests = splits_of(values.size());
  return tests == 0 ? 1 : times(stats::p_differs(shift_of(values, best_split(values))), tests);
}

double p_of_best_inner(std::span<const double> values) {
  const std::size_t tests = inner_stretches_of(values.size());
  return tests == 0 ? 1 : times(stats::p_differs(shift_of(values, best_inner(values))), tests);
}

}  // namespace batchscope::compare
