#include "batchscope/stats/descriptive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace batchscope::stats {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

RunningMoments moments_of(std::span<const double> values) {
  RunningMoments moments;
  for (const double value : values) moments.add(value);
  return moments;
}

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

// Selection instead of a full sort: medians of a million samples are asked for.
double median_in_place(std::vector<double>& values) {
  if (values.empty()) return kNaN;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const double below = *std::max_element(values.begin(), middle);
  return below + (*middle - below) / 2.0;
}

}  // namespace

void RunningMoments::add(double value) {
  ++count_;
  const double from_old_mean = value - mean_;
  mean_ += from_old_mean / static_cast<double>(count_);
  sum_of_squares_ += from_old_mean * (value - mean_);
}

double RunningMoments::mean() const {
  return count_ == 0 ? kNaN : mean_;
}

double RunningMoments::variance() const {
  return count_ < 2 ? kNaN : sum_of_squares_ / static_cast<double>(count_ - 1);
}

double mean(std::span<const double> values) {
  return moments_of(values).mean();
}

double variance(std::span<const double> values) {
  return moments_of(values).variance();
}

double median(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  return median_in_place(copy);
}

double quantile(std::span<const double> values, double probability) {
  return sorted_quantile(sorted_copy(values), probability);
}

double sorted_quantile(std::span<const double> ascending, double probability) {
  if (ascending.empty() || !(probability >= 0.0 && probability <= 1.0)) return kNaN;
  const double position = probability * static_cast<double>(ascending.size() - 1);
  const double below = std::floor(position);
  const auto index = static_cast<std::size_t>(below);
  if (index + 1 >= ascending.size()) return ascending.back();
  return ascending[index] + (position - below) * (ascending[index + 1] - ascending[index]);
}

double weighted_quantile(std::span<const double> ascending, std::span<const double> weights,
                         double probability) {
  if (ascending.size() != weights.size()) return kNaN;
  if (ascending.size() < 2) return sorted_quantile(ascending, probability);
  // S_k = (k - 1) w_k + (n - 1) (w_1 + ... + w_{k-1}).
  const auto last = static_cast<double>(ascending.size() - 1);
  double before = 0;
  std::vector<double> places;
  for (std::size_t k = 0; k < ascending.size(); ++k) {
    places.push_back(static_cast<double>(k) * weights[k] + last * before);
    before += weights[k];
  }
  const double place = probability * places.back();
  const auto above = std::upper_bound(places.begin(), places.end(), place);
  if (above == places.end()) return ascending.back();
  if (above == places.begin()) return ascending.front();
  const auto index = static_cast<std::size_t>(above - places.begin());
  const double share = (place - places[index - 1]) / (places[index] - places[index - 1]);
  return ascending[index - 1] + share * (ascending[index] - ascending[index - 1]);
}

double harmonic_mean(std::span<const double> values) {
  double rates = 0;
  for (const double value : values) rates += 1 / value;
  return static_cast<double>(values.size()) / rates;
}

double robust_std(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  const double centre = median_in_place(copy);
  for (double& value : copy) value = std::abs(value - centre);
  // 1 / Phi^-1(3/4): the ratio of sd to MAD of a normal distribution.
  return 1.482602218505602 * median_in_place(copy);
}

}  // namespace batchscope::stats
