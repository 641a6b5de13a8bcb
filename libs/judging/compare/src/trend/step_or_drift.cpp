#include "step_or_drift.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::compare {
namespace {

constexpr std::array kCorrelations{0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95};
// Values further off than so many standard deviations are drawn in to there.
constexpr double kFar = 4;
constexpr double kSdOfMedianDeviation = 1.4826;  // of normal values

using Column = std::vector<double>;

// What a value adds to `correlation` times the one before it (Prais and Winsten 1954): independent,
// of like scatter.
Column whitened(const Column& column, double correlation) {
  Column white = column;
  white.front() *= std::sqrt(1 - correlation * correlation);
  for (std::size_t i = 1; i < white.size(); ++i) white[i] -= correlation * column[i - 1];
  return white;
}

double product(const Column& a, const Column& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Less its projection on `other`.
void take_off(const Column& other, Column& column) {
  const double by = product(column, other) / product(other, other);
  for (std::size_t i = 0; i < column.size(); ++i) column[i] -= by * other[i];
}

// The sum of squares that least squares leaves of `values` (Gram and Schmidt).
double squares_left(Column values, std::vector<Column> columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t later = i + 1; later < columns.size(); ++later) {
      take_off(columns[i], columns[later]);
    }
    take_off(columns[i], values);
  }
  return product(values, values);
}

// ln of the largest likelihood over correlations and scatters, but for a constant.
double log_likelihood(const Column& values, const std::vector<Column>& columns) {
  const auto n = static_cast<double>(values.size());
  double largest = -std::numeric_limits<double>::infinity();
  for (const double correlation : kCorrelations) {
    std::vector<Column> white;
    for (const Column& column : columns) white.push_back(whitened(column, correlation));
    const double squares = squares_left(whitened(values, correlation), std::move(white));
    const double least = std::numeric_limits<double>::min();
    largest = std::max(largest, 0.5 * std::log(1 - correlation * correlation) -
                                    0.5 * n * std::log(std::max(squares, least)));
  }
  return largest;
}

std::vector<Column> columns_of(std::size_t n, const std::vector<std::size_t>& starts) {
  std::vector<Column> columns{Column(n, 1.0)};
  for (const std::size_t start : starts) {
    Column step(n, 0.0);
    std::fill(step.begin() + static_cast<std::ptrdiff_t>(start), step.end(), 1.0);
    columns.push_back(std::move(step));
  }
  return columns;
}

Column line(std::size_t n) {
  Column column;
  for (std::size_t i = 0; i < n; ++i) column.push_back(static_cast<double>(i));
  return column;
}

double evidence(const Column& values, const std::vector<std::size_t>& starts,
                const std::vector<std::size_t>& fewer) {
  const double with = log_likelihood(values, columns_of(values.size(), starts));
  auto columns = columns_of(values.size(), fewer);
  const double without = log_likelihood(values, columns);
  columns.push_back(line(values.size()));
  return 2 * (with - std::max(without, log_likelihood(values, columns)));
}

// The median of the level of each value.
Column centres_of(std::span<const double> values, const std::vector<std::size_t>& starts) {
  Column centres;
  for (std::size_t i = 0; i <= starts.size(); ++i) {
    const std::size_t end = i < starts.size() ? starts[i] : values.size();
    const std::size_t begin = centres.size();
    centres.resize(end, stats::median(values.subspan(begin, end - begin)));
  }
  return centres;
}

Column without_far_ones(std::span<const double> values, const std::vector<std::size_t>& starts) {
  const Column centres = centres_of(values, starts);
  Column deviations;
  for (std::size_t i = 0; i < values.size(); ++i) {
    deviations.push_back(std::abs(values[i] - centres[i]));
  }
  const double far = kFar * kSdOfMedianDeviation * stats::median(deviations);
  Column near;
  for (std::size_t i = 0; i < values.size(); ++i) {
    near.push_back(std::clamp(values[i], centres[i] - far, centres[i] + far));
  }
  return near;
}

}  // namespace

double evidence_of_steps(std::span<const double> values, const std::vector<std::size_t>& starts,
                         const std::vector<std::size_t>& fewer) {
  return evidence(without_far_ones(values, starts), starts, fewer);
}

double limit_of_evidence(std::size_t steps, double alpha) {
  return 4 + 7 * (static_cast<double>(steps) - 1) - 2.5 * std::log(alpha);
}

double detectable_step(std::size_t values, double alpha) {
  constexpr std::size_t kSeries = 60, kShown = 51;
  const double limit = limit_of_evidence(1, alpha);
  stats::Rng rng(0x57e9);
  std::vector<Column> noise(kSeries, Column(values));
  for (Column& series : noise) {
    for (double& value : series) value = rng.normal();
  }
  const auto is_shown = [&](double step) {
    const auto shown = std::count_if(noise.begin(), noise.end(), [&](Column series) {
      for (std::size_t i = values / 2; i < values; ++i) series[i] += step;
      return evidence(series, {values / 2}, {}) > limit;
    });
    return shown >= static_cast<std::ptrdiff_t>(kShown);
  };
  double low = 0, high = 1;
  while (!is_shown(high)) low = high, high *= 2;
  while (high - low > 0.04 * high) {
    const double middle = (low + high) / 2;
    (is_shown(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace batchscope::compare
