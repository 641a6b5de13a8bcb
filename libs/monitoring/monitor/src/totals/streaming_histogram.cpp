#include "batchscope/monitor/streaming_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace batchscope::monitor {
namespace {

constexpr double kGrowth = 1.02;
constexpr double kLeast = 1e-9, kMostOfAll = 1e18;  // some 3,200 buckets at most
constexpr int kZero = std::numeric_limits<int>::min();

int bucket_of(double value) {
  if (!(value > kLeast)) return kZero;
  return static_cast<int>(std::floor(std::log(std::min(value, kMostOfAll)) / std::log(kGrowth)));
}

}  // namespace

void StreamingHistogram::Bucket::add(double value, int64_t times) {
  least = count == 0 ? value : std::min(least, value);
  most = count == 0 ? value : std::max(most, value);
  count += times;
}

void StreamingHistogram::add(double value, int64_t times) {
  if (!std::isfinite(value) || times <= 0) return;
  most_ = count_ == 0 ? value : std::max(most_, value);
  count_ += times;
  mean_ += (value - mean_) * static_cast<double>(times) / static_cast<double>(count_);
  const int bucket = bucket_of(value);
  buckets_[bucket].add(bucket == kZero ? 0 : value, times);
}

double StreamingHistogram::quantile(double level) const {
  const auto rank = static_cast<int64_t>(std::ceil(level * static_cast<double>(count_)));
  int64_t seen = 0;
  for (const auto& [number, bucket] : buckets_) {
    if (seen + bucket.count >= rank) {
      const auto others = static_cast<double>(std::max<int64_t>(1, bucket.count - 1));
      const double part = static_cast<double>(rank - seen - 1) / others;
      return std::lerp(bucket.least, bucket.most, part);
    }
    seen += bucket.count;
  }
  return most_;
}

}  // namespace batchscope::monitor
