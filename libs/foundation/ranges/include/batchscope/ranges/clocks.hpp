#pragma once

#include <cstdint>
#include <optional>

namespace batchscope::ranges {

// Where a profiler takes the host's time from; a test passes one that it sets by hand.
class HostClock {
 public:
  virtual ~HostClock() = default;
  virtual int64_t now_ns() const = 0;  // never falls; called from every thread that has ranges
};

// What a device needs for its own time of a range to be told. A mark is put into the device's queue
// of work at both ends of the range, and the time between the two is read later, so that nothing is
// waited for inside the range (a CUDA event, for instance). Called from every thread with ranges.
class DeviceClock {
 public:
  virtual ~DeviceClock() = default;
  // Puts a mark where the calling thread's work on the device is now; does not wait for it.
  virtual int64_t mark() = 0;
  // The device's time from one mark to the other; waits until it has passed both. Absent: the
  // device cannot say.
  virtual std::optional<int64_t> between_ns(int64_t from, int64_t to) = 0;
  // A mark is asked about no more.
  virtual void release(int64_t mark) = 0;
};

}  // namespace batchscope::ranges
