#pragma once

#include <cstddef>
#include <span>

#include "batchscope/stats/change_points.hpp"

// What is known of a change of the time of steps.
namespace batchscope::training {

inline constexpr double kManyTimes = 3;          // as long; from where percentages say little
inline constexpr std::size_t kFewestAfter = 16;  // steps after a change, so that it is judged

// Looking for changes takes most of the time, and there are none worth telling where all parts of
// the window are alike. `values`: logarithms of seconds, at least kFewestAfter of them. `least`:
// the smallest that is worth telling.
bool may_have_changed(std::span<const double> values, double least);

// By how many steps it is known: as many on both sides would say as much, halved.
double steps_of(const stats::ChangePoint& change);

// Whether so many more steps are beyond some limit after it than before it as chance makes once in
// ten thousand millions of places (likelihood ratio of two shares): the place is the best of
// hundreds, looked for again and again. Some that are far longer, close to each other, move a mean
// as well. Limits are the middle of the change, and eight quantiles: where only some steps become
// longer it may be a part of these. `values`: the logarithms of seconds that it was found in.
bool is_plain_change(std::span<const double> values, const stats::ChangePoint& change);

}  // namespace batchscope::training
