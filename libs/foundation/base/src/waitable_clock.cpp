#include "batchscope/base/waitable_clock.hpp"

#include <chrono>
#include <limits>

namespace batchscope::base {
namespace {

template <class Clock>
int64_t now_of() {
  return std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
}

class SteadyClock : public WaitableClock {
 public:
  explicit SteadyClock(int64_t ahead_ns) : ahead_ns_(ahead_ns) {}

  int64_t now_ns() const override { return now_of<std::chrono::steady_clock>() + ahead_ns_; }

  void wait(std::condition_variable& condition, std::unique_lock<std::mutex>& lock,
            int64_t until_ns) override {
    if (until_ns == std::numeric_limits<int64_t>::max()) return condition.wait(lock);
    const std::chrono::nanoseconds until(until_ns - ahead_ns_);
    condition.wait_until(lock, std::chrono::steady_clock::time_point(until));
  }

 private:
  int64_t ahead_ns_;
};

}  // namespace

std::shared_ptr<WaitableClock> waitable_steady_clock() {
  return std::make_shared<SteadyClock>(0);
}

std::shared_ptr<WaitableClock> steady_epoch_clock() {
  return std::make_shared<SteadyClock>(now_of<std::chrono::system_clock>() -
                                       now_of<std::chrono::steady_clock>());
}

bool pause(const std::stop_token& stop, std::chrono::duration<double> time) {
  std::mutex unshared;
  std::unique_lock lock(unshared);
  std::condition_variable_any nothing;
  nothing.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

}  // namespace batchscope::base
