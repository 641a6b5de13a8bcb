#include "pairs.hpp"

#include <chrono>
#include <cmath>
#include <vector>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::bench {

int64_t time_ns(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return (std::chrono::steady_clock::now() - begin).count();
}

PairedTimes time_pairs(int pairs, double per, const std::function<void()>& a,
                       const std::function<void()>& b) {
  stats::Rng rng(1);
  std::vector<double> logs, differences, a_times, b_times;
  for (int i = 0; i < pairs; ++i) {
    const bool a_first = rng.uniform() < 0.5;
    const auto first = static_cast<double>(time_ns(a_first ? a : b));
    const auto second = static_cast<double>(time_ns(a_first ? b : a));
    a_times.push_back(a_first ? first : second);
    b_times.push_back(a_first ? second : first);
    logs.push_back(std::log(a_times.back() / b_times.back()));
    differences.push_back((a_times.back() - b_times.back()) / per);
  }
  PairedTimes result;
  const auto log_ratio = stats::mean_interval(logs, 0.95).value();
  const auto difference = stats::mean_interval(differences, 0.95).value();
  result.ratio = std::exp(log_ratio.mean);
  result.ratio_low = std::exp(log_ratio.low);
  result.ratio_high = std::exp(log_ratio.high);
  result.difference_ns = difference.mean;
  result.difference_low = difference.low;
  result.difference_high = difference.high;
  result.a_ns = stats::median(a_times);
  result.b_ns = stats::median(b_times);
  result.pairs = pairs;
  return result;
}

}  // namespace batchscope::bench
