#include "batchscope/gpu/clock.hpp"

#include <chrono>

namespace batchscope::gpu {
namespace {

class SteadyEpochClock : public Clock {
 public:
  int64_t now_ns() const override { return in_ns(std::chrono::steady_clock::now()) + offset_ns_; }

  void wait(std::condition_variable& condition, std::unique_lock<std::mutex>& lock,
            int64_t until_ns) override {
    const std::chrono::nanoseconds until(until_ns - offset_ns_);
    condition.wait_until(lock, std::chrono::steady_clock::time_point(until));
  }

 private:
  template <class Time>
  static int64_t in_ns(Time time) {
    return std::chrono::nanoseconds(time.time_since_epoch()).count();
  }

  const int64_t offset_ns_ =
      in_ns(std::chrono::system_clock::now()) - in_ns(std::chrono::steady_clock::now());
};

}  // namespace

std::shared_ptr<Clock> steady_epoch_clock() {
  return std::make_shared<SteadyEpochClock>();
}

}  // namespace batchscope::gpu
