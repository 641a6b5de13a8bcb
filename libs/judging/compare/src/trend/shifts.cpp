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
    sums_.reserve(values.size() + 1);
    const double mean = stats::mean(values);
    for (const double value : values) sums_.push_back(sums_.back() + value - mean);
  }

  Standout standout(Episode segment) const {
    const auto n = static_cast<double>(sums_.size() - 1);
    const auto inside = static_cast<double>(segment.end - segment.begin);
    const double sum = sums_[segment.end] - sums_[segment.begin];
    return {segment, sum * sum * n / (inside * (n - inside))};
  }

 private:
  std::vector<double> sums_;
};

void keep_larger(Standout& best, const Standout& other) {
  if (other.between > best.between) best = other;
}

double absolute_deviations(std::span<const double> values) {
  const double middle = stats::median(values);
  double sum = 0;
  for (const double value : values) sum += std::abs(value - middle);
  return sum;
}

double sum_of_squares(const stats::RunningMoments& moments) {
  return moments.count() < 2 ? 0 : moments.variance() * static_cast<double>(moments.count() - 1);
}

}  // namespace

stats::MeanEstimate shift_of(std::span<const double> values, Episode segment) {
  stats::RunningMoments inside, outside;
  for (std::size_t i = 0; i < values.size(); ++i) {
    (segment.begin <= i && i < segment.end ? inside : outside).add(values[i]);
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

std::size_t splits_of(std::size_t values, std::size_t least) {
  return values < 2 * least ? 0 : values - 2 * least + 1;
}

Standout best_split(std::span<const double> values, std::size_t least) {
  const Sums sums(values);
  Standout best = sums.standout({least, values.size()});
  for (std::size_t at = least + 1; at + least <= values.size(); ++at) {
    keep_larger(best, sums.standout({at, values.size()}));
  }
  return best;
}

Standout best_inner(std::span<const double> values) {
  const Sums sums(values);
  const std::size_t last = values.size() - kValuesOfLevel;
  Standout best = sums.standout({kValuesOfLevel, 2 * kValuesOfLevel});
  for (std::size_t begin = kValuesOfLevel; begin + kValuesOfLevel <= last; ++begin) {
    for (std::size_t end = begin + kValuesOfLevel; end <= last; ++end) {
      keep_larger(best, sums.standout({begin, end}));
    }
  }
  return best;
}

std::size_t place_of_shift(std::span<const double> values) {
  const auto left = [&](std::size_t at) {
    return absolute_deviations(values.first(at)) + absolute_deviations(values.subspan(at));
  };
  std::size_t best = kValuesOfLevel;
  double least = left(best);
  for (std::size_t at = best + 1; at + kValuesOfLevel <= values.size(); ++at) {
    const double deviations = left(at);
    if (deviations < least) least = deviations, best = at;
  }
  return best;
}

double p_of_best_split(std::span<const double> values, std::size_t least) {
  const std::size_t splits = splits_of(values.size(), least);
  if (splits == 0) return 1;
  const double p = stats::p_differs(shift_of(values, best_split(values, least).segment));
  return std::min(1.0, p * static_cast<double>(splits));
}

}  // namespace batchscope::compare
