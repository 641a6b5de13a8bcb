#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>

namespace batchscope::base {

// A time that threads wait for. Tests pass one that they move. Called from all threads.
class WaitableClock {
 public:
  virtual ~WaitableClock() = default;
  virtual int64_t now_ns() const = 0;
  // With `lock` held, until `condition` is notified or the time has come; may return early. At the
  // largest time: until notified.
  virtual void wait(std::condition_variable& condition, std::unique_lock<std::mutex>& lock,
                    int64_t until_ns) = 0;
};

// std::chrono::steady_clock.
std::shared_ptr<WaitableClock> waitable_steady_clock();

// Nanoseconds since the epoch by the wall clock of now, and by the steady clock from here on: it
// never goes back, whoever sets the time.
std::shared_ptr<WaitableClock> steady_epoch_clock();

// Waits that long, or until a stop is asked for; false where it is.
bool pause(const std::stop_token& stop, std::chrono::duration<double> time);

}  // namespace batchscope::base
