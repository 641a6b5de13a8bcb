#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "activity/host_states.hpp"
#include "batchscope/attribution/spans.hpp"

namespace batchscope::attribution {

// A team that waits while the device is busy could launch meanwhile instead: without its waits it
// would be ahead by as much. So idle time in which it launches is its waits' fault, until that is
// used up: of the longest ago first.
class OverlapBudget {
 public:
  OverlapBudget() = default;
  // `idle`: of the device, also before and behind all that it did.
  OverlapBudget(const std::vector<const std::vector<HostSpan>*>& members, const Spans& idle);

  // Time that was waited, and the call that waited.
  struct Taken {
    uint32_t row = trace::kNone;
    int64_t ns = 0;
    bool operator==(const Taken&) const = default;
  };

  // Counts the waits until then; times never fall.
  void advance(int64_t to);
  // As much of it as there is; what is returned is used up.
  std::vector<Taken> take(int64_t wanted_ns);

 private:
  struct Waited {
    Span span;  // while the device was busy
    uint32_t row = trace::kNone;
  };
  std::vector<Waited> waited_;
  size_t next_ = 0;
  int64_t at_ = INT64_MIN;
  std::deque<Taken> left_;
};

}  // namespace batchscope::attribution
