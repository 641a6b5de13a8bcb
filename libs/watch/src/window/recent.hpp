#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "cell.hpp"

namespace batchscope::watch {

// A window is this many buckets.
inline constexpr std::size_t kBuckets = 12;

// The last buckets of readings, and the one that is being filled. `Bucket` has `Cells<...> values`.
template <class Bucket>
class Recent {
 public:
  Bucket open{};

  void close() {
    closed_.push_back(std::exchange(open, Bucket{}));
    if (closed_.size() > kBuckets) closed_.pop_front();
  }
  void clear() {
    closed_.clear();
    open = Bucket{};
  }
  bool full() const { return closed_.size() == kBuckets; }
  const std::deque<Bucket>& closed() const { return closed_; }

  // All readings of a value.
  template <class Value>
  Cell over(Value value) const {
    Cell all;
    for (const Bucket& bucket : closed_) all.add(bucket.values[value]);
    return all;
  }
  // The means of the buckets that have readings.
  template <class Value>
  std::vector<double> means(Value value) const {
    std::vector<double> means;
    for (const Bucket& bucket : closed_) {
      const Cell& cell = bucket.values[value];
      if (cell.known()) means.push_back(cell.mean());
    }
    return means;
  }
  // The share of the buckets whose mean is so; absent where fewer than half have readings.
  template <class Value, class Holds>
  std::optional<double> share(Value value, Holds holds) const {
    std::size_t known = 0, held = 0;
    for (const Bucket& bucket : closed_) {
      const Cell& cell = bucket.values[value];
      if (!cell.known()) continue;
      ++known;
      held += holds(cell.mean()) ? std::size_t{1} : 0;
    }
    if (known < kBuckets / 2) return std::nullopt;
    return static_cast<double>(held) / static_cast<double>(known);
  }
  template <class Count>
  auto total(Count count) const {
    decltype(count(open)) sum = 0;
    for (const Bucket& bucket : closed_) sum += count(bucket);
    return sum;
  }

 private:
  std::deque<Bucket> closed_;
};

}  // namespace batchscope::watch
