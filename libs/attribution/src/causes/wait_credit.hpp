#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "activity/host_states.hpp"
#include "batchscope/attribution/spans.hpp"

namespace batchscope::attribution {

// A team that waits while the device is busy could launch meanwhile instead: without its waits it
// would be ahead by as much. So idle time in which it launches is its waits' fault, until that is
// used up.
class WaitCredit {
 public:
  WaitCredit() = default;
  // `idle`: of the device, also before and behind all that it did.
  WaitCredit(const std::vector<const std::vector<HostStretch>*>& members, const Spans& idle);

  // Counts the waits until then; times never fall.
  void advance(int64_t to);
  // As much of it as there is; what is returned is used up.
  int64_t take(int64_t wanted_ns);

 private:
  Spans waited_;  // while the device was busy
  size_t next_ = 0;
  int64_t at_ = INT64_MIN;
  int64_t left_ns_ = 0;
};

}  // namespace batchscope::attribution
