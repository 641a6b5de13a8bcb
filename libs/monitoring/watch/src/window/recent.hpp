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
  // Without those for which it holds, by their place from the newest, 0; the others are judged as
  // if it were full.
  template <class Holds>
  void leave_out(Holds holds) {
    std::deque<Bucket> left;
    for (std::size_t i = 0; i < closed_.size(); ++i) {
      if (!holds(closed_.size() - 1 - i)) left.push_back(closed_[i]);
    }
    left_out_ = closed_.size() - left.size();
    closed_ = std::move(left);
  }
  bool full() const { return closed_.size() + left_out_ == kBuckets; }
  // For a share of them.
  bool enough() const { return full() && closed_.size() >= kBuckets / 2; }
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
  std::size_t left_out_ = 0;
};

}  // namespace batchscope::watch
