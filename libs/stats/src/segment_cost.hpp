#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "batchscope/stats/change_point.hpp"

namespace batchscope::stats {

// The standard deviation of a series that may shift its level: differences of neighbours see a
// shift once only. 0 when more than half of the neighbours are equal.
double spread_between_shifts(std::span<const double> series);

// Twice the negative log-likelihood (up to a constant) of a stretch as one normal segment, in
// constant time from prefix sums. Values are centred and scaled first, so the sums keep their
// digits.
class SegmentCost {
 public:
  SegmentCost(std::span<const double> series, ChangeKind kind);

  double operator()(std::size_t first, std::size_t last) const;
  std::size_t size() const { return sum_.size() - 1; }

 private:
  ChangeKind kind_;
  std::vector<double> sum_;
  std::vector<double> sum_of_squares_;
};

// The exact minimum of the summed costs plus `penalty` a change, over all segmentations into
// stretches of at least `min_segment`: the first index of every segment, 0 included.
std::vector<std::size_t> pelt(const SegmentCost& cost, double penalty, std::size_t min_segment);

}  // namespace batchscope::stats
