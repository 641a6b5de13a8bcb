#pragma once

#include <optional>
#include <span>

#include "batchscope/stats/interval.hpp"

// Whether values that were taken one after the other, at equal intervals, rise or fall, and by how
// much a step. In any unit; the order is that of time.
namespace batchscope::stats {

// The test of Mann (1945) and Kendall (1975): S is the number of pairs that rise less those that
// fall. Equal values are allowed for.
struct MannKendall {
  double s = 0;
  // S over its standard deviation, with the correction for continuity: standard normal where there
  // is no trend. 0 where all values are equal.
  double z = 0;
  // By how much the variance was raised because neighbours resemble each other; at least 1.
  double inflation = 1;
};

// The variance is corrected for autocorrelation as Hamed and Rao (1998, J. Hydrology 204) do: by
// the significant autocorrelations of the ranks of what is left without the trend, of lags up to a
// quarter of the length. Never lowered. nullopt below 8 values.
std::optional<MannKendall> mann_kendall(std::span<const double> values);

// One-sided: the chance of a rise like this one where there is none.
double p_rises(const MannKendall& test);

struct Slope {
  double a_step = 0;  // median of the slopes of all pairs: Theil (1950), Sen (1968)
  Interval interval;  // 95 %, by the ranks of these slopes (Sen 1968)
};

// nullopt below 8 values. About n * n / 2 numbers are sorted.
std::optional<Slope> theil_sen(std::span<const double> values);

// By how much noise like an AR(1) process raises the variance of a mean or a slope: (1 + r) /
// (1 - r), with r of neighbours in what a parabola leaves (a rise that bends is no noise),
// corrected for what it takes of it (after Marriott and Pope 1954: about (3 + 5 r) / n). At least
// 1; 1 where nothing is left, or below 8 values. Unlike Hamed and Rao's, it is not too small for
// few values.
double inflation_by_neighbours(std::span<const double> values);

// The 95 % interval of a slope, with noise like that: as of least squares, by Student's t of as
// many values as count, at least 2 degrees of freedom. Of r up to 0.6 at least 92 % hold the slope,
// of 24 values with r = 0.9, of which 2 count, 86 % (by simulation). Below 8 values: that slope.
// Intervals of theil_sen are of values that are independent.
Interval interval_by_neighbours(std::span<const double> values, double slope);

// What Mann and Kendall's test cannot tell: a steady rise from the wandering of a random walk. The
// mean increment over its standard error, which is estimated with the covariances of neighbours
// (Newey and West 1987, Bartlett's weights up to the square root of the length): about standard
// normal for a random walk without drift, large for a line with noise. 0 below 8 values;
// infinite where all increments are equal and not 0.
double drift_score(std::span<const double> values);

// The same from the other side: the squared differences of neighbours over the squared deviations
// of what is left of the values without that slope (von Neumann 1941; as a test of a random walk:
// Sargan and Bhargava 1983). About 2 for a line with independent noise; times the length about 17
// for a random walk of any length, above 38 in 5 % and above 47 in 1 % of them (by simulation, 24
// to 64 values, Theil and Sen's slope). 0 below 8 values, infinite where nothing is left.
double von_neumann_ratio(std::span<const double> values, double slope);

}  // namespace batchscope::stats
