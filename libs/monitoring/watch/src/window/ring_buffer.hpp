#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace batchscope::watch {

// The last `Most` of what was put, the oldest first. It takes its memory at once, so that what
// fills over days does not look like a leak.
template <class T, std::size_t Most>
class RingBuffer {
 public:
  void push(const T& value) {
    if (size_ == Most) {
      std::move(values_.begin() + 1, values_.end(), values_.begin());
      --size_;
    }
    values_[size_++] = value;
  }
  std::span<const T> values() const { return std::span(values_).first(size_); }
  bool full() const { return size_ == Most; }
  std::size_t size() const { return size_; }
  const T& front() const { return values_.front(); }
  T& back() { return values_[size_ - 1]; }
  const T& back() const { return values_[size_ - 1]; }

 private:
  std::array<T, Most> values_{};
  std::size_t size_ = 0;
};

}  // namespace batchscope::watch
