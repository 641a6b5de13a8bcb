#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "batchscope/stats/mean_estimate.hpp"

namespace batchscope::compare {

// Where the level of a series shifts.
struct LevelShift {
  std::size_t at = 0;                    // the first value of the new level
  std::size_t earliest = 0, latest = 0;  // it is one of these, ends included
  // The level after it less the level before it, up to the changes next to it, by the scatter of
  // both (Student's t).
  stats::MeanEstimate shift;
};

struct ChangePoints {
  std::vector<LevelShift> steps;  // in order
  // The largest shift that is no step for certain: values resemble those before them so much that
  // they may have drifted there.
  std::optional<LevelShift> drift;
};

// Fewer values hold no change that could be shown at this level, however large: 10 at 0.95, and one
// or two more where the rate of error is half of that.
std::size_t values_to_split(double level = 0.95);

// The changes of a series of values that scatter alike; the chance of any step where there is none
// is at most 1 - level, whatever the distribution of independent values (one far off, as a run that
// a neighbour hit, is one of them in any order), and where each resembles the one before it.
//
// Binary segmentation (Scott and Knott 1974): the split that stands out most is a change where few
// of all orders of the values have one that stands out as much, by their normal scores (van der
// Waerden 1952). Where it is none, a stretch inside is held against what surrounds it in the same
// way (Olshen and Venkatraman 2004), which finds a rise that a fall takes back. A level has at
// least four values, since two bad ones in a row depend on each other, which no order accounts for.
// Either has half of the error rate. Then the same for each part, at a share of the error rate that
// goes with its length, so that the rates of parts without a change sum to no more than the whole
// (Meinshausen 2008).
//
// That holds for independent values. So the evidence also has to rule out a drift, of all changes
// together and each beside the others: see step_or_drift.hpp. The one with the least evidence is
// dropped, and the others are looked at again, until all that are left have enough.
//
// A change is placed, between those next to it, where values lie closest to the medians of both
// sides (Bai 1995, 1997). Its interval holds every split there that leaves on neither side one that
// Student's t shows, at half of 1 - level each, with the number of splits for a factor (Worsley
// 1986): the true one is missed where the t test errs.
ChangePoints find_change_points(std::span<const double> values, double level = 0.95);

// Of several series of so many values, all of which together are to hold no false change at
// `level`: the level of each (Bonferroni), among those that can have a change at all. Where none
// can, among the longest ones, which are the next to.
double level_of_each(std::span<const std::size_t> lengths, double level = 0.95);

// A step in the middle of so many values that scatter by `sd`, which is found in at least four of
// five such series. Not below values_to_split(level).
double smallest_step(std::size_t values, double sd, double level = 0.95);

}  // namespace batchscope::compare
