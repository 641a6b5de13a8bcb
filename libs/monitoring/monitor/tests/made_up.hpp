#pragma once

#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "batchscope/monitor/run.hpp"
#include "batchscope/monitor/sampler.hpp"

namespace batchscope::monitor {

inline constexpr int64_t kSecond = 1'000'000'000;

inline telemetry::Sample sample_at(int64_t second) {
  telemetry::Sample sample;
  sample.time_ns = second * kSecond;
  sample.host.cpu_busy_ratio = 0.5;
  return sample;
}

inline telemetry::TrainingStep step_at(int64_t second, int64_t number) {
  telemetry::TrainingStep step;
  step.time_ns = second * kSecond;
  step.step = number;
  step.seconds = 1;
  return step;
}

// A sample a second of made-up time.
class MadeUpSampler : public Sampler {
 public:
  explicit MadeUpSampler(std::function<void(int64_t taken)> each = {}) : each_(std::move(each)) {}
  telemetry::Sample take() override {
    if (each_) each_(taken_);
    return sample_at(taken_++);
  }
  int64_t taken() const { return taken_; }

 private:
  std::function<void(int64_t taken)> each_;
  int64_t taken_ = 0;
};

// Keeps what it is told, and fails where it is told to.
class KeptSink : public Sink {
 public:
  std::string_view name() const override { return "the sink"; }
  base::Result<void> take(const Tick& tick) override {
    ticks.push_back(tick);
    const bool fails = !failures.empty() && failures.front();
    if (!failures.empty()) failures.pop_front();
    if (fails) return base::Error{base::ErrorKind::failed, "no space left", "/full", ""};
    return {};
  }

  std::vector<Tick> ticks;
  std::deque<bool> failures;
};

}  // namespace batchscope::monitor
