#pragma once

#include <cstdint>

#include "batchscope/base/result.hpp"

namespace batchscope::measure {

enum class BarrierPhase { ready, timed };  // warm, and would begin its timed part; has ended it

// The other instances of a visit, which run at the same time in other processes: all begin their
// timed part together, and each stays under load until the last has ended its own.
class InstanceBarrier {
 public:
  virtual ~InstanceBarrier() = default;
  // This instance has come to the meeting, and is going to time about `wanted` iterations. Errors:
  // failed (nobody listens any more).
  virtual base::Result<void> arrive(BarrierPhase meeting, int64_t wanted) = 0;
  // Whether all have; does not block.
  virtual bool are_there() = 0;
  // Waits for them. Returns the most that any of them wanted. Errors: failed, as arrive.
  virtual base::Result<int64_t> join() = 0;
};

}  // namespace batchscope::measure
