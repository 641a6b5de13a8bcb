#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace batchscope::stats {

// Sums over parts of a series, each in constant time.
class PartSums {
 public:
  explicit PartSums(std::span<const double> values);

  // Of the values from `begin` to before `end`; begin < end.
  double mean(std::size_t begin, std::size_t end) const;
  // Squares of the distances from their mean. Here, because a search asks for millions of them.
  double squares(std::size_t begin, std::size_t end) const {
    const double sum = sum_[end] - sum_[begin];
    const double squares = sum_of_squares_[end] - sum_of_squares_[begin];
    return std::max(0.0, squares - sum * sum * reciprocal_[end - begin]);
  }
  // The same from the straight line that fits best.
  double squares_from_line(std::size_t begin, std::size_t end) const;

 private:
  double offset_ = 0;  // taken off every value, against cancellation
  std::vector<double> sum_, sum_of_squares_, sum_by_place_;
  std::vector<double> reciprocal_;  // of counts: a division takes longer than all else
};

// Where to cut a series of `count` values so that the squares within the parts and `penalty` a cut
// come to the least; each part has at least `fewest` values. Indices of the first value of each
// part but the first. PELT, with its pruning delayed by `fewest`, without which it is not exact.
std::vector<std::size_t> best_cuts(const PartSums& sums, std::size_t count, double penalty,
                                   std::size_t fewest);

}  // namespace batchscope::stats
