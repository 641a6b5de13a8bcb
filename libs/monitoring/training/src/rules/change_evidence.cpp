#include "rules/change_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "batchscope/stats/binomial.hpp"
#include "batchscope/stats/descriptive.hpp"

namespace batchscope::training {

bool may_have_changed(std::span<const double> values, double least) {
  constexpr std::size_t kParts = 12;
  const std::size_t length = std::max(kFewestAfter, values.size() / kParts);
  double low = stats::median(values.last(kFewestAfter)), high = low;
  for (std::size_t begin = 0; begin + length <= values.size(); begin += length) {
    const double level = stats::median(values.subspan(begin, length));
    low = std::min(low, level);
    high = std::max(high, level);
  }
  return high - low > least / 2;
}

double steps_of(const stats::ChangePoint& change) {
  return 1 / (1 / static_cast<double>(change.index - change.begin) +
              1 / static_cast<double>(change.end - change.index));
}

namespace {

double share_over(double limit, std::span<const double> values) {
  return static_cast<double>(
             std::ranges::count_if(values, [&](double value) { return value > limit; })) /
         static_cast<double>(values.size());
}

// Logarithm of the likelihood ratio of two shares to one, where the second is the larger.
double evidence_of_more(double p, std::size_t n_of_p, double q, std::size_t m_of_q) {
  const auto n = static_cast<double>(n_of_p), m = static_cast<double>(m_of_q);
  const double pooled = (p * n + q * m) / (n + m);
  return q > p ? n * stats::divergence(p, pooled) + m * stats::divergence(q, pooled) : 0;
}

}  // namespace

bool is_plain_change(std::span<const double> values, const stats::ChangePoint& change) {
  constexpr std::size_t kLimits = 9;
  const double least = std::log(1e10 * kLimits);
  const auto before = values.subspan(change.begin, change.index - change.begin),
             after = values.subspan(change.index, change.end - change.index);
  std::vector<double> sorted(before.begin(), before.end());
  sorted.insert(sorted.end(), after.begin(), after.end());
  std::ranges::sort(sorted);
  const auto is_plain_at = [&](double limit) {
    const double p = share_over(limit, before), q = share_over(limit, after);
    return (change.after > change.before
                ? evidence_of_more(p, before.size(), q, after.size())
                : evidence_of_more(1 - p, before.size(), 1 - q, after.size())) >= least;
  };
  if (is_plain_at((change.before + change.after) / 2)) return true;
  for (std::size_t i = 1; i < kLimits; ++i) {
    if (is_plain_at(stats::sorted_quantile(sorted, static_cast<double>(i) / kLimits))) return true;
  }
  return false;
}

}  // namespace batchscope::training
