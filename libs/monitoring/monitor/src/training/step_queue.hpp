#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "batchscope/telemetry/sample.hpp"

namespace batchscope::monitor {

// Steps between the loop and the thread that writes them. Bounded: a disk that hangs must not take
// the memory of a training.
class StepQueue {
 public:
  void add(telemetry::TrainingStep step) {
    const std::lock_guard lock(mutex_);
    if (steps_.size() >= kMost) {
      ++dropped_;
      return;
    }
    steps_.push_back(std::move(step));
  }

  std::vector<telemetry::TrainingStep> take() {
    std::vector<telemetry::TrainingStep> taken;
    const std::lock_guard lock(mutex_);
    taken.reserve(steps_.capacity());
    std::swap(taken, steps_);
    return taken;
  }

  int64_t dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
  }

 private:
  static constexpr std::size_t kMost = 1 << 17;

  mutable std::mutex mutex_;
  std::vector<telemetry::TrainingStep> steps_;
  int64_t dropped_ = 0;
};

}  // namespace batchscope::monitor
