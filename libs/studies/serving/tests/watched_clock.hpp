#pragma once

#include <map>

#include "testing/clocks/manual_clock.hpp"

namespace batchscope::serving {

// Counts how often somebody went to sleep until a given time.
class WatchedClock : public ManualClock {
 public:
  void wait(std::condition_variable& condition, std::unique_lock<std::mutex>& held,
            int64_t until_ns) override {
    {
      const std::lock_guard lock(counting_);
      ++asleep_[until_ns];
      counted_.notify_all();
    }
    ManualClock::wait(condition, held, until_ns);
  }
  // Whoever takes the lock of the batcher afterwards finds the sleeper asleep.
  void wait_until_asleep(std::chrono::nanoseconds until, int times) {
    std::unique_lock lock(counting_);
    counted_.wait(lock, [&] { return asleep_[until.count()] >= times; });
  }

 private:
  std::mutex counting_;
  std::condition_variable counted_;
  std::map<int64_t, int> asleep_;
};

}  // namespace batchscope::serving
