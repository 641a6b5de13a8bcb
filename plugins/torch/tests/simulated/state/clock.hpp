#pragma once

#include <cstdint>

// The host's clock: the machine's, or in virtual time one that advances only by what calls cost and
// by what the host waits for.
namespace batchscope::simulated {

int64_t now_ns();
// A call keeps the host for so long.
void spend(int64_t ns);
// The host goes on no earlier than that.
void wait_until(int64_t ns);

// The device's side of a result that the host may read: returns when the host's clock has come to
// that time, or in virtual time also when a host thread waits for a device, for then it will.
void deliver_at(int64_t ns);

// In real time: not to run ahead of the machine's clock by more than a sleep is worth.
void keep_pace(int64_t ns);

// While it lives a host thread waits for a device.
class HostWaits {
 public:
  HostWaits();
  ~HostWaits();
  HostWaits(const HostWaits&) = delete;
  HostWaits& operator=(const HostWaits&) = delete;
};

}  // namespace batchscope::simulated
