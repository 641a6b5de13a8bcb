#include "batchscope/stats/trend.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/rank_scores.hpp"
#include "student.hpp"

namespace batchscope::stats {
namespace {

constexpr std::size_t kFewestForTrend = 8;
constexpr double kNormal975 = 1.959964;
constexpr double kOfAParabola = 3;  // values that it takes
// With fewer degrees of freedom an interval would say nothing.
constexpr double kFewestFree = 2;

double count(std::size_t n) {
  return static_cast<double>(n);
}

double kendall_s(std::span<const double> values) {
  int64_t s = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) {
      s += (values[j] > values[i] ? 1 : 0) - (values[j] < values[i] ? 1 : 0);
    }
  }
  return static_cast<double>(s);
}

// Of S without a trend; groups of equal values make it smaller (Kendall 1975).
double variance_of_s(std::span<const double> values) {
  const auto term = [](double n) { return n * (n - 1) * (2 * n + 5); };
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  double sum = term(count(values.size()));
  for (auto from = sorted.begin(); from != sorted.end();) {
    const auto to = std::upper_bound(from, sorted.end(), *from);
    sum -= term(static_cast<double>(to - from));
    from = to;
  }
  return sum / 18;
}

std::vector<double> slopes_of_pairs(std::span<const double> values) {
  std::vector<double> slopes;
  slopes.reserve(values.size() * (values.size() - 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) {
      slopes.push_back((values[j] - values[i]) / count(j - i));
    }
  }
  return slopes;
}

// Autocovariance at a lag, divided by the length.
double covariance(std::span<const double> values, double mean, std::size_t lag) {
  double sum = 0;
  for (std::size_t i = lag; i < values.size(); ++i) {
    sum += (values[i] - mean) * (values[i - lag] - mean);
  }
  return sum / count(values.size());
}

// What least squares leave, by the discrete orthogonal polynomials up to the second degree.
std::vector<double> without_parabola(std::span<const double> values) {
  const double n = count(values.size()), centre = (n - 1) / 2;
  const std::array<std::function<double(double)>, 3> polynomials{
      [](double) { return 1; }, [](double x) { return x; },
      [n](double x) { return x * x - (n * n - 1) / 12; }};
  std::vector<double> rest(values.begin(), values.end());
  for (const auto& polynomial : polynomials) {
    double joint = 0, squares = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const double p = polynomial(count(i) - centre);
      joint += p * rest[i];
      squares += p * p;
    }
    for (std::size_t i = 0; i < rest.size(); ++i) {
      rest[i] -= joint / squares * polynomial(count(i) - centre);
    }
  }
  return rest;
}

// (1 + r) / (1 - r); r is corrected for what the parabola took.
double inflation_of_rest(std::span<const double> rest) {
  constexpr double kMostR = 0.95;
  const double n = count(rest.size()), variance = covariance(rest, 0, 0);
  if (variance <= 0) return 1;
  const double seen = covariance(rest, 0, 1) / variance;
  const double r = std::clamp((seen * n + 3) / (n - 5), 0.0, kMostR);
  return (1 + r) / (1 - r);
}

// Hamed and Rao (1998), formulas 8 and 9.
double inflation_of(std::span<const double> values) {
  std::vector<double> slopes = slopes_of_pairs(values);
  const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
  std::nth_element(slopes.begin(), middle, slopes.end());
  std::vector<double> rest(values.begin(), values.end());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= *middle * count(i);
  const std::vector<double> ranks = normal_scores(rest);
  const double mean_rank = mean(ranks);
  const double variance_of_ranks = covariance(ranks, mean_rank, 0);
  if (variance_of_ranks <= 0) return 1;
  const double n = count(values.size());
  double sum = 0;
  for (std::size_t lag = 1; lag <= values.size() / 4; ++lag) {
    const double r = covariance(ranks, mean_rank, lag) / variance_of_ranks;
    if (std::abs(r) < kNormal975 / std::sqrt(n)) continue;
    const double left = n - count(lag);
    sum += left * (left - 1) * (left - 2) * r;
  }
  return std::max(1.0, 1 + 2 * sum / (n * (n - 1) * (n - 2)));
}

}  // namespace

std::optional<MannKendall> mann_kendall(std::span<const double> values) {
  if (values.size() < kFewestForTrend) return std::nullopt;
  MannKendall test;
  test.s = kendall_s(values);
  const double variance = variance_of_s(values);
  if (variance <= 0 || test.s == 0) return test;
  test.inflation = inflation_of(values);
  const double towards_zero = test.s > 0 ? test.s - 1 : test.s + 1;
  test.z = towards_zero / std::sqrt(variance * test.inflation);
  return test;
}

double p_rises(const MannKendall& test) {
  return 0.5 * std::erfc(test.z / std::sqrt(2.0));
}

std::optional<Slope> theil_sen(std::span<const double> values) {
  if (values.size() < kFewestForTrend) return std::nullopt;
  std::vector<double> slopes = slopes_of_pairs(values);
  std::sort(slopes.begin(), slopes.end());
  const double pairs = count(slopes.size());
  const double reach = kNormal975 * std::sqrt(variance_of_s(values));
  const auto at = [&](double rank) {  // counted from 1
    return slopes[static_cast<std::size_t>(std::clamp(rank, 1.0, pairs)) - 1];
  };
  Slope slope;
  slope.a_step = sorted_quantile(slopes, 0.5);
  slope.interval = {at(std::floor((pairs - reach) / 2)), at(std::ceil((pairs + reach) / 2) + 1)};
  return slope;
}

double inflation_by_neighbours(std::span<const double> values) {
  if (values.size() < kFewestForTrend) return 1;
  return inflation_of_rest(without_parabola(values));
}

Interval interval_by_neighbours(std::span<const double> values, double slope) {
  if (values.size() < kFewestForTrend) return {slope, slope};
  const std::vector<double> rest = without_parabola(values);
  const double n = count(rest.size()), inflation = inflation_of_rest(rest);
  const double squares = covariance(rest, 0, 0) * n;
  // A parabola takes as much of correlated noise as of fewer values.
  const double left = std::max(n / 4, n - kOfAParabola * inflation);
  const double variance = squares / left * inflation / (n * (n * n - 1) / 12);
  const double df = std::max(kFewestFree, n / inflation - kOfAParabola);
  const double half_width = student_upper_quantile(0.025, df) * std::sqrt(variance);
  return {slope - half_width, slope + half_width};
}

double drift_score(std::span<const double> values) {
  if (values.size() < kFewestForTrend) return 0;
  std::vector<double> steps(values.size() - 1);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = values[i + 1] - values[i];
  const double drift = mean(steps);
  const std::size_t lags = static_cast<std::size_t>(std::sqrt(count(steps.size())));
  double variance = covariance(steps, drift, 0);
  for (std::size_t lag = 1; lag <= lags; ++lag) {
    variance += 2 * (1 - count(lag) / count(lags + 1)) * covariance(steps, drift, lag);
  }
  if (drift == 0) return 0;
  // Rounding leaves a little where all increments are equal.
  if (variance <= 1e-18 * drift * drift) {
    return std::copysign(std::numeric_limits<double>::infinity(), drift);
  }
  return drift * std::sqrt(count(steps.size()) / variance);
}

double von_neumann_ratio(std::span<const double> values, double slope) {
  if (values.size() < kFewestForTrend) return 0;
  std::vector<double> rest(values.begin(), values.end());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= slope * count(i);
  const double deviations = covariance(rest, mean(rest), 0) * count(rest.size());
  double differences = 0;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    differences += (rest[i] - rest[i - 1]) * (rest[i] - rest[i - 1]);
  }
  if (deviations <= 0) return std::numeric_limits<double>::infinity();
  return differences / deviations;
}

}  // namespace batchscope::stats
