#include "batchscope/monitorview/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace batchscope::monitorview {
namespace {

constexpr double kGrowth = 1.02;
constexpr double kLeast = 1e-6, kMostOfAll = 1e18;  // some 2,800 buckets at most
constexpr int kZero = std::numeric_limits<int>::min();

int bucket_of(double value) {
  if (!(value > kLeast)) return kZero;
  return static_cast<int>(std::floor(std::log(std::min(value, kMostOfAll)) / std::log(kGrowth)));
}

}  // namespace

void Distribution::Mean::add(double one) {
  ++count;
  value += (one - value) / static_cast<double>(count);
}

void Distribution::add(double value) {
  if (!std::isfinite(value)) return;
  most_ = all_.count == 0 ? value : std::max(most_, value);
  all_.add(value);
  const int bucket = bucket_of(value);
  buckets_[bucket].add(bucket == kZero ? 0 : value);
}

double Distribution::quantile(double level) const {
  const auto rank = static_cast<int64_t>(std::ceil(level * static_cast<double>(all_.count)));
  int64_t seen = 0;
  for (const auto& [bucket, mean] : buckets_) {
    seen += mean.count;
    if (seen >= rank) return std::min(mean.value, most_);
  }
  return most_;
}

}  // namespace batchscope::monitorview
