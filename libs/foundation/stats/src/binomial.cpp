#include "batchscope/stats/binomial.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

namespace batchscope::stats {
namespace {

// P(X <= k) and P(X >= k) for X binomial, through the regularized incomplete beta function, which
// keeps its digits in either tail.
double binomial_at_most(std::size_t k, std::size_t n, double p) {
  if (k >= n) return 1.0;
  return boost::math::ibetac(static_cast<double>(k + 1), static_cast<double>(n - k), p);
}

double binomial_at_least(std::size_t k, std::size_t n, double p) {
  if (k == 0) return 1.0;
  if (k > n) return 0.0;
  return boost::math::ibeta(static_cast<double>(k), static_cast<double>(n - k + 1), p);
}

// The end of [first, last) where `holds` turns from true to false; first when it never holds.
template <class Predicate>
std::size_t first_failure(std::size_t first, std::size_t last, Predicate holds) {
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if (holds(middle)) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

}  // namespace

double clopper_pearson_lower(std::size_t successes, std::size_t trials, double level) {
  if (successes == 0) return 0.0;
  return boost::math::ibeta_inv(static_cast<double>(successes),
                                static_cast<double>(trials - successes + 1), 1.0 - level);
}

double clopper_pearson_upper(std::size_t successes, std::size_t trials, double level) {
  if (successes >= trials) return 1.0;
  return boost::math::ibetac_inv(static_cast<double>(successes + 1),
                                 static_cast<double>(trials - successes), 1.0 - level);
}

Interval clopper_pearson(std::size_t successes, std::size_t trials, double level) {
  const double one_sided = 1.0 - (1.0 - level) / 2.0;
  return {clopper_pearson_lower(successes, trials, one_sided),
          clopper_pearson_upper(successes, trials, one_sided)};
}

double divergence(double share, double from) {
  const auto part = [](double q, double p) { return q > 0 ? q * std::log(q / p) : 0; };
  return part(share, from) + part(1 - share, 1 - from);
}

std::optional<RankInterval> quantile_ranks(std::size_t n, double probability, double level) {
  const double tail = (1.0 - level) / 2.0;
  // Of B values below the quantile, rank `low` lies above it when B < low, rank `high` below it
  // when B >= high.
  const std::size_t low = first_failure(
      0, n, [&](std::size_t k) { return binomial_at_most(k, n, probability) <= tail; });
  const std::size_t high = first_failure(
      1, n + 1, [&](std::size_t k) { return binomial_at_least(k, n, probability) > tail; });
  if (low == 0 || high > n) return std::nullopt;
  return RankInterval{low, high};
}

std::size_t quantile_sample_size(double probability, double level) {
  // The rarer side decides: all n values fall on the other side with probability commoner^n.
  const double commoner = std::max(probability, 1.0 - probability);
  const double estimate = std::log((1.0 - level) / 2.0) / std::log(commoner);
  auto n = static_cast<std::size_t>(std::max(1.0, std::floor(estimate) - 1.0));
  while (!quantile_ranks(n, probability, level)) ++n;
  return n;
}

}  // namespace batchscope::stats
