#include "batchscope/stats/change_points.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/stats/descriptive.hpp"
#include "segmentation.hpp"

namespace batchscope::stats {
namespace {

constexpr std::size_t kHalfWindow = 5;
constexpr double kDrawnInTo = 3, kMostOutliers = 0.15;
constexpr double kMostCorrelation = 0.98;
// Of the noise's own time, (1 + 2 sum of correlations): so many lags are summed.
constexpr double kTimes = 4;
// A level that follows noise takes nearly twice as much of it as one whose place was given.
constexpr double kTakenByLevel = 1.75;
// With less than this share of the noise left by the levels, nothing is known of it.
constexpr double kLeastLeft = 0.25;
// Levels of two halves then have to be 8 standard deviations apart.
constexpr double kAsOneValue = 0.6;
constexpr double kMostGrowth = 1.5;  // of the noise from one round to the next
constexpr double kPenalty = 4;
// (1 - exp(-x / 2))^2 = 0.95.
constexpr double kPlaceRatio = 7.38;
constexpr double kNormal95 = 1.96;

std::vector<double> running_medians(std::span<const double> values) {
  std::vector<double> medians;
  medians.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t begin = i - std::min(i, kHalfWindow);
    const std::size_t end = std::min(values.size(), i + kHalfWindow + 1);
    medians.push_back(median(values.subspan(begin, end - begin)));
  }
  return medians;
}

// The values without their outliers, and how far the others are from the running median.
struct Bulk {
  std::vector<double> values;
  double scale = 0;
};

Bulk bulk_of(std::span<const double> values) {
  Bulk bulk{running_medians(values)};
  std::vector<double> apart;
  for (std::size_t i = 0; i < values.size(); ++i) {
    apart.push_back(std::abs(values[i] - bulk.values[i]));
  }
  // Where most are equal, as with clocks that tick slowly, the mean distance has to do.
  bulk.scale = 1.4826 * median(apart);
  if (bulk.scale == 0) bulk.scale = mean(apart);
  // Outliers are few: of values of two sizes neither is one, and their running median jumps.
  bulk.scale = std::max(bulk.scale, quantile(apart, 1 - kMostOutliers) / kDrawnInTo);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double middle = bulk.values[i], most = kDrawnInTo * bulk.scale;
    bulk.values[i] = std::clamp(values[i], middle - most, middle + most);
  }
  return bulk;
}

// Half of their mean square, without those that only a change can make.
double square_of_differences(const Bulk& bulk, std::size_t lag) {
  double sum = 0, count = 0;
  for (std::size_t i = lag; i < bulk.values.size(); ++i) {
    const double difference = bulk.values[i] - bulk.values[i - lag];
    if (std::abs(difference) > (2 * kDrawnInTo + 1) * bulk.scale) continue;
    sum += difference * difference;
    ++count;
  }
  return count > 0 ? sum / 2 / count : 0;
}

// n times the variance of the mean of n values, n large, as of an AR(1) process, whose halved mean
// squares are g (1 - r) and g (1 - r^2).
double variance_by_neighbours(const Bulk& bulk) {
  const double one = square_of_differences(bulk, 1);
  if (one == 0) return 0;
  const double r = std::clamp(square_of_differences(bulk, 2) / one - 1, 0.0, kMostCorrelation);
  return one / (1 - r) * (1 + r) / (1 - r);
}

// What the levels between the cuts leave of the values.
std::vector<double> without_levels(std::span<const double> values, const PartSums& sums,
                                   std::span<const std::size_t> cuts) {
  std::vector<double> left(values.begin(), values.end());
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    const std::size_t end = i < cuts.size() ? cuts[i] : values.size();
    const double level = sums.mean(begin, end);
    for (; begin < end; ++begin) left[begin] -= level;
  }
  return left;
}

double mean_product(std::span<const double> values, std::size_t lag) {
  double sum = 0;
  for (std::size_t i = lag; i < values.size(); ++i) sum += values[i] * values[i - lag];
  return sum / static_cast<double>(values.size());
}

// The same of any stationary noise: the sum of its covariances up to the lag where four of its own
// times are seen, the largest on the way. Levels take 1 / n of the noise from each lag. Where they
// take most of it before that lag the noise is too slow to be told from small changes, and as if a
// level were hardly nearer than one of its values.
double variance_by_lags(std::span<const double> left, std::size_t levels, double least) {
  const double own = mean_product(left, 0);
  if (own <= least) return own;
  const double taken =
      kTakenByLevel * static_cast<double>(levels) / static_cast<double>(left.size());
  double sum = own, largest = own;
  for (std::size_t lag = 1; lag < left.size(); ++lag) {
    sum += 2 * mean_product(left, lag);
    const double share_left = 1 - static_cast<double>(2 * lag + 1) * taken;
    if (share_left < kLeastLeft) break;
    largest = std::max(largest, sum / share_left);
    if (static_cast<double>(lag) >= kTimes * largest / own) return largest;
  }
  return kAsOneValue * own * static_cast<double>(left.size());
}

// A series that is the same to the last bit has no noise, and any change in it is one.
double least_variance(std::span<const double> values) {
  constexpr double kRounding = 1e-12;
  const double size = std::abs(median(values)) * kRounding;
  return size * size;
}

// Of a series that has one.
class OneChange {
 public:
  OneChange(std::span<const double> values, double variance)
      : end_(values.size()), sums_(values), variance_(variance) {}

  ChangePoint at(std::size_t cut) const {
    ChangePoint change;
    change.index = change.first = change.last = cut;
    const double least = squares(cut);
    for (std::size_t at = 1; at < end_; ++at) {
      if (squares(at) > least + kPlaceRatio * variance_) continue;
      change.first = std::min(change.first, at);
      change.last = std::max(change.last, at);
    }
    const auto n = static_cast<double>(cut), m = static_cast<double>(end_ - cut);
    change.before = sums_.mean(0, cut);
    change.after = sums_.mean(cut, end_);
    change.variance_before = sums_.squares(0, cut) / n;
    change.variance_after = sums_.squares(cut, end_) / m;
    const double half_width = kNormal95 * std::sqrt(variance_ * (1 / n + 1 / m));
    const double size = change.after - change.before;
    change.size = {size - half_width, size + half_width};
    change.better_than_line = (sums_.squares_from_line(0, end_) - least) / variance_;
    return change;
  }

 private:
  double squares(std::size_t cut) const { return sums_.squares(0, cut) + sums_.squares(cut, end_); }

  std::size_t end_;
  PartSums sums_;
  double variance_;
};

// Two neighbouring parts, each without its own outliers: what is rare in all of the series may be
// half of a part. And the larger noise of the two, at least that of the whole: what jumps about
// more after a change than before it would else be cut up.
struct TwoParts {
  std::vector<double> values;
  double variance = 0;
};

TwoParts two_parts(std::span<const double> values, std::size_t begin, std::size_t cut,
                   std::size_t end) {
  TwoParts two;
  for (const auto& part : {values.subspan(begin, cut - begin), values.subspan(cut, end - cut)}) {
    const Bulk bulk = bulk_of(part);
    two.values.insert(two.values.end(), bulk.values.begin(), bulk.values.end());
    two.variance = std::max(two.variance, variance_by_neighbours(bulk));
  }
  return two;
}

// Cuts whose parts are too noisy for them, the weakest first, until all hold.
class Kept {
 public:
  Kept(std::span<const double> values, double variance, double ratio)
      : values_(values), variance_(variance), ratio_(ratio) {}

  std::vector<ChangePoint> of(std::vector<std::size_t> cuts) const {
    for (;;) {
      std::vector<ChangePoint> found;
      std::size_t weakest = 0;
      double least = ratio_;
      for (std::size_t i = 0; i < cuts.size(); ++i) {
        const std::size_t begin = i == 0 ? 0 : cuts[i - 1];
        const std::size_t end = i + 1 == cuts.size() ? values_.size() : cuts[i + 1];
        found.push_back(change(begin, cuts[i], end));
        const double half = found.back().size.half_width() / kNormal95;
        const double size = found.back().after - found.back().before;
        const double ratio = size * size / (half * half);
        if (ratio >= least) continue;
        least = ratio;
        weakest = i;
      }
      if (least >= ratio_) return found;
      cuts.erase(cuts.begin() + static_cast<std::ptrdiff_t>(weakest));
    }
  }

 private:
  ChangePoint change(std::size_t begin, std::size_t cut, std::size_t end) const {
    const TwoParts two = two_parts(values_, begin, cut, end);
    ChangePoint found = OneChange(two.values, std::max(variance_, two.variance)).at(cut - begin);
    for (std::size_t* place : {&found.index, &found.first, &found.last}) *place += begin;
    found.begin = begin;
    found.end = end;
    return found;
  }

  std::span<const double> values_;
  double variance_, ratio_;
};

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> values) {
  if (values.size() < 2 * kFewestBetweenChanges) return {};
  const Bulk bulk = bulk_of(values);
  const PartSums sums(bulk.values);
  const double least = least_variance(bulk.values);
  const double ratio = kPenalty * std::log(static_cast<double>(values.size()));
  // Little by little: with fewer levels, more is known of the noise.
  for (double variance = std::max(variance_by_neighbours(bulk), least);;) {
    const auto cuts = best_cuts(sums, values.size(), ratio * variance, kFewestBetweenChanges);
    if (cuts.empty()) return {};
    const double left =
        variance_by_lags(without_levels(bulk.values, sums, cuts), cuts.size() + 1, least);
    if (left <= variance) return Kept(values, variance, ratio).of(cuts);
    variance = std::min(left, kMostGrowth * variance);
  }
}

}  // namespace batchscope::stats
