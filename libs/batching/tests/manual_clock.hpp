#pragma once

#include <algorithm>
#include <vector>

#include "batchscope/batching/batcher_options.hpp"

namespace batchscope::batching {

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

}  // namespace batchscope::batching
