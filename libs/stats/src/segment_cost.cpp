#include "segment_cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::stats {
namespace {

// A unit that is positive whatever the series: its spread; the plain standard deviation where the
// series is so quantized that the robust one vanishes; 1 for a constant.
double unit_of(std::span<const double> series) {
  const double robust = spread_between_shifts(series);
  if (robust > 0.0) return robust;
  const double plain = std::sqrt(variance(series));
  return plain > 0.0 ? plain : 1.0;
}

// Below a thousandth of the overall spread a stretch's own variance is taken to be quantization:
// ln(0) would otherwise buy any number of segments.
constexpr double kSmallestVariance = 1e-6;

}  // namespace

double spread_between_shifts(std::span<const double> series) {
  std::vector<double> differences;
  for (std::size_t i = 1; i < series.size(); ++i) {
    differences.push_back(series[i] - series[i - 1]);
  }
  return robust_std(differences) / std::sqrt(2.0);
}

SegmentCost::SegmentCost(std::span<const double> series, ChangeKind kind)
    : kind_(kind), sum_(series.size() + 1, 0.0), sum_of_squares_(series.size() + 1, 0.0) {
  const double centre = median(series);
  const double unit = unit_of(series);
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double value = (series[i] - centre) / unit;
    sum_[i + 1] = sum_[i] + value;
    sum_of_squares_[i + 1] = sum_of_squares_[i] + value * value;
  }
}

double SegmentCost::operator()(std::size_t first, std::size_t last) const {
  const auto length = static_cast<double>(last - first);
  const double sum = sum_[last] - sum_[first];
  const double residual =
      std::max(0.0, sum_of_squares_[last] - sum_of_squares_[first] - sum * sum / length);
  if (kind_ == ChangeKind::mean) return residual;
  return length * std::log(std::max(residual / length, kSmallestVariance));
}

namespace {

struct Candidate {
  std::size_t first;         // where the last segment would begin
  std::size_t useful_until;  // ends beyond this are better served by another candidate
};

constexpr std::size_t kForever = static_cast<std::size_t>(-1);

}  // namespace

std::vector<std::size_t> pelt(const SegmentCost& cost, double penalty, std::size_t min_segment) {
  const std::size_t n = cost.size();
  std::vector<double> best(n + 1, 0.0);
  std::vector<std::size_t> begins(n + 1, 0);
  std::vector<Candidate> candidates;
  best[0] = -penalty;
  for (std::size_t end = min_segment; end <= n; ++end) {
    // A segment may begin where a segmentation can end: at 0, or min_segment or more behind it.
    const std::size_t begin = end - min_segment;
    if (begin == 0 || begin >= min_segment) candidates.push_back({begin, kForever});
    best[end] = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : candidates) {
      const double total = best[candidate.first] + cost(candidate.first, end) + penalty;
      if (total < best[end]) {
        best[end] = total;
        begins[end] = candidate.first;
      }
    }
    // Beginning at `end` beats a candidate that is behind already without the penalty, once a
    // segment from `end` is long enough to be allowed; until then the candidate may still be the
    // best there is.
    for (Candidate& candidate : candidates) {
      if (candidate.useful_until == kForever &&
          best[candidate.first] + cost(candidate.first, end) >= best[end]) {
        candidate.useful_until = end + min_segment;
      }
    }
    std::erase_if(candidates, [&](const Candidate& c) { return c.useful_until <= end + 1; });
  }
  std::vector<std::size_t> firsts;
  for (std::size_t end = n; end > 0; end = begins[end]) firsts.push_back(begins[end]);
  std::reverse(firsts.begin(), firsts.end());
  return firsts;
}

}  // namespace batchscope::stats
