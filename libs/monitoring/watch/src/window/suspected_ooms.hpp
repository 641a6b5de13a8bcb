#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ring_buffer.hpp"

namespace batchscope::watch {

// That a GPU was nearly full, and shortly after that nobody's: its program ended, as one does that
// runs out of memory. Not one that was idle for three minutes before: a service that unloads
// its model.
class SuspectedOoms {
 public:
  static constexpr double kFull = 0.93, kNobodys = 0.04, kShortlySeconds = 15;

  // `share`: of device memory, in use; `works`: it is busy, or does not say.
  void add(int64_t now_ns, double share, bool works) {
    constexpr auto kShortlyNs = static_cast<int64_t>(kShortlySeconds * 1e9);
    constexpr int64_t kIdleNs = 180'000'000'000;
    if (share >= kFull) {
      if (works || full_ns_ == 0) worked_ns_ = now_ns;
      full_ns_ = now_ns;
      highest_ = std::max(highest_, share);
    }
    if (share > kNobodys || full_ns_ == 0) return;
    if (now_ns - full_ns_ <= kShortlyNs && now_ns - worked_ns_ <= kIdleNs) ends_.push(now_ns);
    full_ns_ = 0;
  }
  // At most 64.
  std::ptrdiff_t count_since(int64_t ns) const {
    return std::ranges::count_if(ends_.values(), [&](int64_t end_ns) { return end_ns >= ns; });
  }
  double highest() const { return highest_; }  // share, of those when it was nearly full

 private:
  RingBuffer<int64_t, 64> ends_;
  int64_t full_ns_ = 0;    // the last time; 0: not since it was nobody's
  int64_t worked_ns_ = 0;  // the last time that it worked, or became full
  double highest_ = 0;
};

}  // namespace batchscope::watch
