#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "batchscope/serving/batcher_options.hpp"

namespace batchscope::serving {

// Stands still until advance() is called, which wakes who waits for the time.
class ManualClock : public Clock {
 public:
  base::Nanoseconds now() const override {
    const std::lock_guard lock(mutex_);
    return now_;
  }

  void wait(std::condition_variable& condition, std::unique_lock<std::mutex>& held,
            base::Nanoseconds until) override {
    {
      const std::lock_guard lock(mutex_);
      if (now_ >= until) return;
      waiters_.push_back({&condition, held.mutex()});
    }
    condition.wait(held);
    const std::lock_guard lock(mutex_);
    waiters_.erase(std::find_if(waiters_.begin(), waiters_.end(), [&](const Waiter& waiter) {
      return waiter.condition == &condition;
    }));
  }

  void advance(base::Nanoseconds by) {
    std::vector<Waiter> waiters;
    {
      const std::lock_guard lock(mutex_);
      now_ += by;
      waiters = waiters_;
    }
    for (const Waiter& waiter : waiters) {
      // Whoever has read the old time holds its mutex until it really waits.
      const std::lock_guard asleep(*waiter.mutex);
      waiter.condition->notify_all();
    }
  }

 private:
  struct Waiter {
    std::condition_variable* condition;
    std::mutex* mutex;
  };
  mutable std::mutex mutex_;
  base::Nanoseconds now_{0};
  std::vector<Waiter> waiters_;
};

// Tells how often somebody went to sleep until a given time.
class WatchedClock : public ManualClock {
 public:
  void wait(std::condition_variable& condition, std::unique_lock<std::mutex>& held,
            base::Nanoseconds until) override {
    {
      const std::lock_guard lock(counting_);
      ++asleep_[until];
      counted_.notify_all();
    }
    ManualClock::wait(condition, held, until);
  }
  // Whoever takes the lock of the batcher afterwards finds the sleeper asleep.
  void wait_until_asleep(base::Nanoseconds until, int times) {
    std::unique_lock lock(counting_);
    counted_.wait(lock, [&] { return asleep_[until] >= times; });
  }

 private:
  std::mutex counting_;
  std::condition_variable counted_;
  std::map<base::Nanoseconds, int> asleep_;
};

}  // namespace batchscope::serving
