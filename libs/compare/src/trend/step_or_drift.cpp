#include "step_or_drift.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/rng.hpp"
#include "shifts.hpp"

namespace batchscope::compare {
namespace {

constexpr std::array kCorrelations{0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95};
// Values further off than so many standard deviations are drawn in to there.
constexpr double kFar = 4;
constexpr double kSdOfMedianDeviation = 1.4826;  // of normal values

// ln of a likelihood, but for a constant.
double log_likelihood(double squares, std::size_t n, double correlation) {
  const double least = std::numeric_limits<double>::min();
  return 0.5 * std::log(1 - correlation * correlation) -
         0.5 * static_cast<double>(n) * std::log(std::max(squares, least));
}

// The likelihoods for one correlation: what a value adds to `correlation` times the one before it
// is independent (Prais and Winsten 1954), and so are a constant and a step so transformed.
struct Likelihoods {
  double none = 0;
  double step = 0;
};

class Whitened {
 public:
  Whitened(std::span<const double> values, double correlation)
      : correlation_(correlation),
        first_(std::sqrt(1 - correlation * correlation)),
        later_(1 - correlation) {
    values_.push_back(first_ * values.front());
    for (std::size_t i = 1; i < values.size(); ++i) {
      values_.push_back(values[i] - correlation * values[i - 1]);
    }
    const auto n = static_cast<double>(values.size());
    constant_constant_ = first_ * first_ + (n - 1) * later_ * later_;
    constant_values_ = first_ * values_.front();
    for (std::size_t i = 1; i < values_.size(); ++i) constant_values_ += later_ * values_[i];
    for (const double value : values_) squares_ += value * value;
    squares_ -= constant_values_ * constant_values_ / constant_constant_;
  }

  Likelihoods likelihoods() const {
    const std::size_t n = values_.size();
    double least = squares_, after = 0;  // the sum of values from at + 1 on
    for (std::size_t at = n - 1; at >= kValuesOfLevel; --at) {
      if (at + kValuesOfLevel <= n) least = std::min(least, squares_ - explained(at, after));
      after += values_[at];
    }
    return {log_likelihood(squares_, n, correlation_), log_likelihood(least, n, correlation_)};
  }

 private:
  // The sum of squares that a step at a value takes away.
  double explained(std::size_t at, double after) const {
    const auto rest = static_cast<double>(values_.size() - at - 1);
    const double step_step = 1 + rest * later_ * later_;
    const double step_constant = later_ + rest * later_ * later_;
    const double step_values = values_[at] + later_ * after;
    const double projected = step_values - step_constant * constant_values_ / constant_constant_;
    const double left = step_step - step_constant * step_constant / constant_constant_;
    return projected * projected / left;
  }

  double correlation_, first_, later_;
  std::vector<double> values_;
  double constant_constant_ = 0, constant_values_ = 0;
  double squares_ = 0;  // about the constant
};

double evidence(std::span<const double> values) {
  double none = -std::numeric_limits<double>::infinity(), step = none;
  for (const double correlation : kCorrelations) {
    const Likelihoods each = Whitened(values, correlation).likelihoods();
    none = std::max(none, each.none);
    step = std::max(step, each.step);
  }
  return 2 * (step - none);
}

// Less the median of the side, and drawn in.
std::vector<double> without_far_ones(std::span<const double> values, std::size_t at) {
  const double before = stats::median(values.first(at)), after = stats::median(values.subspan(at));
  std::vector<double> off, deviations;
  for (std::size_t i = 0; i < values.size(); ++i) {
    off.push_back(values[i] - (i < at ? before : after));
    deviations.push_back(std::abs(off.back()));
  }
  const double far = kFar * kSdOfMedianDeviation * stats::median(deviations);
  for (std::size_t i = 0; i < off.size(); ++i) {
    off[i] = std::clamp(off[i], -far, far) + (i < at ? 0 : after - before);
  }
  return off;
}

}  // namespace

double evidence_of_step(std::span<const double> values, std::size_t at) {
  return evidence(without_far_ones(values, at));
}

double limit_of_evidence(double alpha) {
  return 6.5 - 2.5 * std::log(alpha);
}

double step_to_be_told(std::size_t values, double alpha) {
  constexpr std::size_t kSeries = 200, kToBeTold = 170;
  const double limit = limit_of_evidence(alpha);
  stats::Rng rng(0x57e9);
  std::vector<std::vector<double>> noise(kSeries, std::vector<double>(values));
  for (auto& series : noise) {
    for (double& value : series) value = rng.normal();
  }
  const auto told = [&](double step) {
    return std::count_if(noise.begin(), noise.end(), [&](std::vector<double> series) {
      for (std::size_t i = values / 2; i < values; ++i) series[i] += step;
      return evidence(series) > limit;
    });
  };
  double low = 0, high = 1;
  while (told(high) < static_cast<std::ptrdiff_t>(kToBeTold)) low = high, high *= 2;
  while (high - low > 0.01 * high) {
    const double middle = (low + high) / 2;
    (told(middle) < static_cast<std::ptrdiff_t>(kToBeTold) ? low : high) = middle;
  }
  return high;
}

}  // namespace batchscope::compare
