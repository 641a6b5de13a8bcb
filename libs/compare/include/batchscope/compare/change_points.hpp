#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "batchscope/stats/mean_estimate.hpp"

namespace batchscope::compare {

// Where the level of a series shifts.
struct ChangePoint {
  std::size_t at = 0;                    // the first value of the new level
  std::size_t earliest = 0, latest = 0;  // it is one of these, ends included
  // The level after it less the level before it, up to the changes next to it, by the scatter of
  // both (Student's t).
  stats::MeanEstimate shift;
};

// Fewer values hold no change that could be shown: two before it and two after it, because one that
// lies far off may be no more than a bad run.
inline constexpr std::size_t kValuesToSplit = 4;

// The changes of a series of independent values of equal scatter, in order; the chance of any where
// there is none is at most 1 - level for normal values.
//
// Binary segmentation (Scott and Knott 1974): the split at which Student's t between both sides is
// largest, which is the likelihood ratio test (Sen and Srivastava 1975), is a change where its
// p-value times the number of splits is small enough (Bonferroni). Where none is, a stretch inside
// is held against what surrounds it (Olshen and Venkatraman 2004), which finds a rise that a fall
// takes back. A level has at least two values. Either has half of the error rate. Then the same for
// each part, at a share of the error rate that goes with its length, so that the rates of parts
// without a change sum to no more than the whole (Meinshausen 2008).
//
// The interval of a change holds every split that leaves no change on either side of it, up to the
// next changes, at half of 1 - level each (Worsley 1986).
std::vector<ChangePoint> find_change_points(std::span<const double> values, double level = 0.95);

// A step in the middle of so many values that scatter by `sd`, which is found in at least four of
// five such series. Not below kValuesToSplit.
double smallest_step(std::size_t values, double sd, double level = 0.95);

}  // namespace batchscope::compare
