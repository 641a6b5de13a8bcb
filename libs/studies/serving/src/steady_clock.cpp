#include "batchscope/serving/batcher_options.hpp"

namespace batchscope::serving {
namespace {

class SteadyClock : public Clock {
 public:
  base::Nanoseconds now() const override {
    return std::chrono::steady_clock::now().time_since_epoch();
  }
  void wait(std::condition_variable& condition, std::unique_lock<std::mutex>& lock,
            base::Nanoseconds until) override {
    if (until == base::Nanoseconds::max()) return condition.wait(lock);
    condition.wait_until(lock, std::chrono::steady_clock::time_point(until));
  }
};

}  // namespace

std::shared_ptr<Clock> steady_clock() {
  return std::make_shared<SteadyClock>();
}

}  // namespace batchscope::serving
