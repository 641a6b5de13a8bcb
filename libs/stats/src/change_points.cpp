#include "batchscope/stats/change_points.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/stats/descriptive.hpp"
#include "segmentation.hpp"

namespace batchscope::stats {
namespace {

constexpr std::size_t kHalfWindow = 5;
constexpr double kDrawnInTo = 3, kMostOutliers = 0.15;
constexpr double kMostCorrelation = 0.98, kErrorsMore = 2;
constexpr std::size_t kFewestForBlocks = 128, kBlocks = 32;
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

// As of an AR(1) process, whose halved mean squares are g (1 - r) and g (1 - r^2). The correlation
// may be taken as larger by some of its standard errors.
double variance_by_neighbours(const Bulk& bulk, double errors_more) {
  const double one = square_of_differences(bulk, 1);
  if (one == 0) return 0;
  const double estimate = std::clamp(square_of_differences(bulk, 2) / one - 1, 0.0, 1.0);
  const double error =
      std::sqrt((1 - estimate * estimate) / static_cast<double>(bulk.values.size()));
  const double r = std::min(estimate + errors_more * error, kMostCorrelation);
  return one / (1 - r) * (1 + r) / (1 - r);
}

// Blocks overlap, so that there are more of them.
double variance_by_blocks(const PartSums& sums, std::size_t count) {
  const std::size_t length = count / kBlocks;
  std::vector<double> steps;
  for (std::size_t i = 0; i + 2 * length <= count; i += std::max<std::size_t>(1, length / 4)) {
    steps.push_back(sums.mean(i + length, i + 2 * length) - sums.mean(i, i + length));
  }
  const double sd = robust_std(steps);
  return sd * sd / 2 * static_cast<double>(length);
}

// n times the variance of the mean of n values, n large.
double long_run_variance(const Bulk& bulk, const PartSums& sums) {
  const double by_neighbours = variance_by_neighbours(bulk, kErrorsMore);
  const std::size_t count = bulk.values.size();
  if (count < kFewestForBlocks) return by_neighbours;
  return std::max(by_neighbours, variance_by_blocks(sums, count));
}

// A series that is the same to the last bit has no noise, and any change in it is one.
double least_variance(std::span<const double> values) {
  constexpr double kRounding = 1e-12;
  const double size = std::abs(median(values)) * kRounding;
  return size * size;
}

class Changes {
 public:
  Changes(const PartSums& sums, double variance) : sums_(sums), variance_(variance) {}

  ChangePoint between(std::size_t begin, std::size_t cut, std::size_t end) const {
    ChangePoint change;
    change.index = change.first = change.last = cut;
    const double least = squares(begin, cut, end);
    for (std::size_t at = begin + 1; at < end; ++at) {
      if (squares(begin, at, end) > least + kPlaceRatio * variance_) continue;
      change.first = std::min(change.first, at);
      change.last = std::max(change.last, at);
    }
    change.before = sums_.mean(begin, cut);
    change.after = sums_.mean(cut, end);
    const double half_width =
        kNormal95 * std::sqrt(variance_ * (1 / static_cast<double>(cut - begin) +
                                           1 / static_cast<double>(end - cut)));
    const double size = change.after - change.before;
    change.size = {size - half_width, size + half_width};
    change.better_than_line = (sums_.squares_from_line(begin, end) - least) / variance_;
    return change;
  }

 private:
  double squares(std::size_t begin, std::size_t cut, std::size_t end) const {
    return sums_.squares(begin, cut) + sums_.squares(cut, end);
  }

  const PartSums& sums_;
  double variance_;
};

// The larger noise of the parts beside a cut, at least that of the whole: what jumps about more
// after a change than before it would else be cut up.
double variance_beside(std::span<const double> values, std::size_t begin, std::size_t cut,
                       std::size_t end) {
  double variance = 0;
  for (const auto& part : {values.subspan(begin, cut - begin), values.subspan(cut, end - cut)}) {
    if (part.size() < 2 * kFewestBetweenChanges) continue;
    variance = std::max(variance, variance_by_neighbours(bulk_of(part), 0));
  }
  return variance;
}

// Cuts whose parts are too noisy for them, the weakest first, until all hold.
class Kept {
 public:
  Kept(std::span<const double> values, const PartSums& sums, double variance, double ratio)
      : values_(values), sums_(sums), variance_(variance), ratio_(ratio) {}

  std::vector<ChangePoint> of(std::vector<std::size_t> cuts) const {
    for (;;) {
      std::vector<ChangePoint> found;
      std::size_t weakest = 0;
      double least = ratio_;
      for (std::size_t i = 0; i < cuts.size(); ++i) {
        const std::size_t begin = i == 0 ? 0 : cuts[i - 1];
        const std::size_t end = i + 1 == cuts.size() ? values_.size() : cuts[i + 1];
        const double variance = std::max(variance_, variance_beside(values_, begin, cuts[i], end));
        found.push_back(Changes(sums_, variance).between(begin, cuts[i], end));
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
  std::span<const double> values_;
  const PartSums& sums_;
  double variance_, ratio_;
};

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> values) {
  if (values.size() < 2 * kFewestBetweenChanges) return {};
  const Bulk bulk = bulk_of(values);
  const PartSums sums(bulk.values);
  const double variance = std::max(long_run_variance(bulk, sums), least_variance(bulk.values));
  const double ratio = kPenalty * std::log(static_cast<double>(values.size()));
  return Kept(values, sums, variance, ratio)
      .of(best_cuts(sums, values.size(), ratio * variance, kFewestBetweenChanges));
}

}  // namespace batchscope::stats
