#pragma once

#include <cstddef>
#include <span>

namespace batchscope::stats {

// All functions take finite values in any unit and answer in that unit (variances in its square).
// Where a value needs more data than it was given, the answer is NaN.

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

double mean(std::span<const double> values);
// Divided by n - 1.
double variance(std::span<const double> values);
double median(std::span<const double> values);

// The quantile at `probability` in [0, 1], interpolated linearly between order statistics:
// definition 7 of Hyndman and Fan (1996), the default of R and NumPy.
double quantile(std::span<const double> values, double probability);
// The same for values already in ascending order, without the copy.
double sorted_quantile(std::span<const double> ascending, double probability);

// The same of values that weigh differently (weights above 0, as many as values): of equal weights
// it is sorted_quantile(). The places of the values are S_k = (k - 1) w_k + (n - 1) (w_1 + ... +
// w_{k-1}), between which it is linear. NaN where the numbers of both differ.
double weighted_quantile(std::span<const double> ascending, std::span<const double> weights,
                         double probability);

// n / sum of 1 / value: n workers that all take this time do as much as workers that take these
// times. Values > 0.
double harmonic_mean(std::span<const double> values);

// Median absolute deviation times 1.4826, so that it estimates the standard deviation of normal
// values while half of them may be anything.
double robust_std(std::span<const double> values);

}  // namespace batchscope::stats
