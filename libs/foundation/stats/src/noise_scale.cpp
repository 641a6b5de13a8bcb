#include "batchscope/stats/noise_scale.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "student.hpp"

namespace batchscope::stats {
namespace {

constexpr std::size_t kFewestSteps = 10;
constexpr double kDriftAlpha = 0.01;

// Estimates of |G|^2 and tr(Sigma) from one step, without bias.
struct Estimates {
  double gradient = 0;
  double variance = 0;
};

Estimates estimates_of(const SquaredNorms& step, double b_small, double b_large) {
  return {(b_large * step.large - b_small * step.small) / (b_large - b_small),
          (step.small - step.large) / (1 / b_small - 1 / b_large)};
}

// Of the weighted means: of |G|^2, of tr(Sigma), and what they have in common.
struct Covariance {
  double gradient = 0, variance = 0, both = 0;
  double steps = 0;  // that so many of equal weight would tell as much as
};

Covariance covariance_of(const std::vector<Estimates>& steps, const std::vector<double>& weights,
                         const Estimates& mean) {
  Covariance result;
  double squares = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double g = weights[i] * (steps[i].gradient - mean.gradient);
    const double v = weights[i] * (steps[i].variance - mean.variance);
    result.gradient += g * g;
    result.variance += v * v;
    result.both += g * v;
    squares += weights[i] * weights[i];
  }
  result.steps = 1 / squares;
  const double unbiased = result.steps / (result.steps - 1);
  result.gradient *= unbiased;
  result.variance *= unbiased;
  result.both *= unbiased;
  return result;
}

// The ratios r for which (variance - r gradient)^2 <= t^2 var(variance - r gradient).
void put_interval(const Estimates& mean, const Covariance& spread, double level,
                  NoiseScale& scale) {
  const double t = student_upper_quantile((1 - level) / 2, spread.steps - 1);
  const double a = mean.gradient * mean.gradient - t * t * spread.gradient;
  const double b = mean.gradient * mean.variance - t * t * spread.both;
  const double c = mean.variance * mean.variance - t * t * spread.variance;
  const double root = b * b - a * c;
  if (root < 0 || mean.variance <= 0) return;
  const double low = (b - std::sqrt(root)) / a;
  if (a > 0 && mean.gradient > 0) {
    scale.low = std::max(0.0, low);
    scale.high = (b + std::sqrt(root)) / a;
    return;
  }
  // The ratios lie outside of two bounds; those that make sense above the positive one.
  if (a < 0 && c > 0) scale.low = std::max({0.0, low, (b + std::sqrt(root)) / a});
}

// ln of the scale of some steps, and its variance by the delta method; absent where the gradient is
// not told from noise.
struct LogScale {
  double value = 0, variance = 0;
  double steps = 0;
};
std::optional<LogScale> log_scale(std::span<const Estimates> steps,
                                  std::span<const double> weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  std::vector<Estimates> own(steps.begin(), steps.end());
  std::vector<double> share;
  Estimates mean;
  for (std::size_t i = 0; i < own.size(); ++i) {
    share.push_back(weights[i] / sum);
    mean.gradient += share[i] * own[i].gradient;
    mean.variance += share[i] * own[i].variance;
  }
  if (own.size() < kFewestSteps || mean.gradient <= 0 || mean.variance <= 0) return std::nullopt;
  const Covariance spread = covariance_of(own, share, mean);
  const double g = mean.gradient, v = mean.variance;
  const double variance =
      spread.variance / (v * v) + spread.gradient / (g * g) - 2 * spread.both / (g * v);
  return LogScale{std::log(v / g), std::max(variance, 0.0), spread.steps};
}

// The two halves of the weight: where they differ, the scale drifted while it was averaged.
void look_for_drift(const std::vector<Estimates>& steps, const std::vector<double>& weights,
                    NoiseScale& scale) {
  std::size_t half = 0;
  for (double sum = 0; half < weights.size() && sum < 0.5; ++half) sum += weights[half];
  const std::span all(steps);
  const std::span weight(weights);
  const auto first = log_scale(all.first(half), weight.first(half));
  const auto second = log_scale(all.subspan(half), weight.subspan(half));
  if (!first || !second) return;
  const double se = std::sqrt(first->variance + second->variance);
  const double difference = second->value - first->value;
  const double t = student_upper_quantile(kDriftAlpha / 2, first->steps + second->steps - 2);
  if (!(std::abs(difference) > t * se)) return;
  scale.drift = std::exp(difference);
  const auto [low, high] = std::minmax({std::exp(first->value), std::exp(second->value)});
  if (scale.low) scale.low = std::min(*scale.low, low);
  if (scale.high) scale.high = std::max(*scale.high, high);
}

}  // namespace

std::optional<NoiseScale> noise_scale(std::span<const SquaredNorms> steps, double b_small,
                                      double b_large, double decay, double level) {
  if (steps.size() < kFewestSteps) return std::nullopt;
  std::vector<Estimates> estimates;
  std::vector<double> weights(steps.size());
  double weight = 1, sum = 0;
  for (std::size_t i = steps.size(); i > 0; --i, weight *= decay) sum += weights[i - 1] = weight;
  Estimates mean;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    weights[i] /= sum;
    estimates.push_back(estimates_of(steps[i], b_small, b_large));
    mean.gradient += weights[i] * estimates.back().gradient;
    mean.variance += weights[i] * estimates.back().variance;
  }
  NoiseScale scale;
  scale.samples = mean.variance / mean.gradient;
  scale.squared_gradient = mean.gradient;
  scale.variance = mean.variance;
  scale.steps = steps.size();
  put_interval(mean, covariance_of(estimates, weights, mean), level, scale);
  look_for_drift(estimates, weights, scale);
  return scale;
}

}  // namespace batchscope::stats
