#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace batchscope::stats {

// All functions take finite values in any unit and answer in that unit (variances in its square).
// Where a value needs more data than it was given, the answer is NaN (plain functions) or nullopt
// (those that return a struct).

// Mean and variance in one pass (Welford 1962): no cancellation where the mean is large beside the
// spread.
class RunningMoments {
 public:
  void add(double value);

  std::size_t count() const { return count_; }
  // NaN before the first value.
  double mean() const;
  // Divided by count - 1; NaN below two values.
  double variance() const;

 private:
  std::size_t count_ = 0;
  double mean_ = 0.0;
  double sum_of_squares_ = 0.0;
};

struct Summary {
  std::size_t n = 0;
  double mean = 0.0;
  double median = 0.0;
  double min = 0.0;
  double max = 0.0;
  double std = 0.0;  // divided by n - 1; 0 for a single value
  double cv = 0.0;   // std / |mean|; NaN when the mean is 0
  double se = 0.0;   // std / sqrt(n)
};

// nullopt for an empty span.
std::optional<Summary> summarize(std::span<const double> values);

double mean(std::span<const double> values);
// Divided by n - 1.
double variance(std::span<const double> values);
double median(std::span<const double> values);

// The quantile at `probability` in [0, 1], interpolated linearly between order statistics:
// definition 7 of Hyndman and Fan (1996), the default of R and NumPy.
double quantile(std::span<const double> values, double probability);
// The same for values already in ascending order, without the copy.
double sorted_quantile(std::span<const double> ascending, double probability);

// Mean of what is left when floor(fraction * n) values are cut from each end. fraction in [0, 0.5).
double trimmed_mean(std::span<const double> values, double fraction);
// Variance (divided by n - 1) after the floor(fraction * n) values at each end are moved to the
// nearest value kept (Wilcox 2012, section 3.2.6).
double winsorized_variance(std::span<const double> values, double fraction);

// Mean of ln(value). Values > 0.
double log_mean(std::span<const double> values);
// exp(log_mean): the "typical" time of values that scatter by a factor. Values > 0.
double geometric_mean(std::span<const double> values);
// n / sum of 1 / value: n workers that all take this time do as much as workers that take these
// times. Values > 0.
double harmonic_mean(std::span<const double> values);

// Median absolute deviation times 1.4826, so that it estimates the standard deviation of normal
// values while half of them may be anything.
double robust_std(std::span<const double> values);

}  // namespace batchscope::stats
