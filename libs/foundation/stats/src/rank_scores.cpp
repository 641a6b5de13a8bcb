#include "batchscope/stats/rank_scores.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cstddef>
#include <numeric>

namespace batchscope::stats {

double normal_quantile(double probability) {
  return boost::math::quantile(boost::math::normal(), probability);
}

std::vector<double> normal_scores(std::span<const double> values) {
  const std::size_t n = values.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> scores(n);
  for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
    while (end < n && values[order[end]] == values[order[begin]]) ++end;
    const double rank = static_cast<double>(begin + end + 1) / 2;
    const double share = (rank - 0.375) / (static_cast<double>(n) + 0.25);
    const double score = normal_quantile(share);
    for (std::size_t i = begin; i < end; ++i) scores[order[i]] = score;
  }
  return scores;
}

}  // namespace batchscope::stats
