#pragma once

#include <algorithm>
#include <chrono>
#include <list>

#include "batchscope/base/waitable_clock.hpp"

namespace batchscope {

// Stands still until advance() is called, which wakes who waits for the time.
class ManualClock : public base::WaitableClock {
 public:
  explicit ManualClock(int64_t now_ns = 0) : now_ns_(now_ns) {}

  int64_t now_ns() const override {
    const std::lock_guard lock(mutex_);
    return now_ns_;
  }

  void wait(std::condition_variable& condition, std::unique_lock<std::mutex>& held,
            int64_t until_ns) override {
    std::list<Waiter>::iterator self;
    {
      const std::lock_guard lock(mutex_);
      ++waits_;
      waited_.notify_all();
      if (now_ns_ >= until_ns) return;
      self = waiters_.insert(waiters_.end(), {&condition, held.mutex()});
    }
    condition.wait(held);
    const std::lock_guard lock(mutex_);
    waiters_.erase(self);
  }

  void advance(std::chrono::nanoseconds by) {
    std::list<Waiter> waiters;
    {
      const std::lock_guard lock(mutex_);
      now_ns_ += by.count();
      waiters = waiters_;
    }
    for (const Waiter& waiter : waiters) {
      // Whoever has read the old time holds its mutex until it really waits.
      const std::lock_guard asleep(*waiter.mutex);
      waiter.condition->notify_all();
    }
  }

  // Until it holds. Looks again whenever a thread goes to sleep, which it does when its work is
  // done; false where none has for a minute.
  template <class Holds>
  bool until(Holds holds) {
    constexpr std::chrono::seconds kLongest{60};
    for (;;) {
      const int64_t before = waits();
      if (holds()) return true;
      std::unique_lock lock(mutex_);
      if (!waited_.wait_for(lock, kLongest, [&] { return waits_ != before; })) return false;
    }
  }

 private:
  struct Waiter {
    std::condition_variable* condition;
    std::mutex* mutex;
  };
  int64_t waits() const {
    const std::lock_guard lock(mutex_);
    return waits_;
  }

  mutable std::mutex mutex_;
  std::condition_variable waited_;
  int64_t now_ns_;
  int64_t waits_ = 0;
  std::list<Waiter> waiters_;
};

}  // namespace batchscope
