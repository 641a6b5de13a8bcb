#include "monitor_scenes/loop.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace batchscope::monitor_scenes {

void Loop::plan(const Work& work) {
  constexpr double kUnevenCompute = 0.03;
  computes_ = work.step * std::exp(kUnevenCompute * rng_.normal());
  const double busy = std::clamp(work.busy, 0.005, 1.0);
  const bool ends_burst = ++step_ % std::max(1, work.burst) == 0;
  const double mean_wait = work.step * (1 / busy - 1) * std::max(1, work.burst);
  // Half the variance, so that the mean stays.
  const double uneven = work.unevenness * rng_.normal() - work.unevenness * work.unevenness / 2;
  waits_ = ends_burst ? mean_wait * std::exp(uneven) : 0;
  step_seconds_ = computes_ + waits_;
  waited_ = waits_;
}

double Loop::advance(const Work& work, double begin, double seconds,
                     const std::function<void(const telemetry::TrainingStep&)>& tell) {
  double left = seconds, computed = 0;
  if (std::exchange(busy_, work.busy) != work.busy) computes_ = waits_ = 0;
  while (left > 0) {
    if (computes_ <= 0 && waits_ <= 0) plan(work);
    const double now = std::min(left, std::max(0.0, computes_));
    computes_ -= now;
    computed += now;
    left -= now;
    const double wait = std::min(left, std::max(0.0, waits_));
    waits_ -= wait;
    left -= wait;
    if (computes_ > 0 || waits_ > 0 || left <= 0) continue;
    telemetry::TrainingStep step;
    step.time_ns = static_cast<int64_t>((begin + seconds - left) * 1e9);
    step.step = step_;
    step.seconds = step_seconds_;
    step.batch_size = work.batch;
    step.loading_seconds = work.loading * waited_ + 0.002 * step_seconds_;
    tell(step);
  }
  return computed / seconds;
}

}  // namespace batchscope::monitor_scenes
