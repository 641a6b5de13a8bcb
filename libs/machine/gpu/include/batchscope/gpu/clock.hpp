#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

namespace batchscope::gpu {

// The time of a monitor; tests pass one that they move. Called from all threads.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t now_ns() const = 0;
  // Until the time has come or `condition` is notified; may end earlier.
  virtual void wait(std::condition_variable& condition, std::unique_lock<std::mutex>& lock,
                    int64_t until_ns) = 0;
};

// Nanoseconds since the epoch by the wall clock of now, and by the steady clock from here on: it
// never goes back, whoever sets the time.
std::shared_ptr<Clock> steady_epoch_clock();

}  // namespace batchscope::gpu
