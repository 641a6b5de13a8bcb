#pragma once

#include <cstdint>
#include <functional>

#include "batchscope/stats/rng.hpp"
#include "batchscope/telemetry/sample.hpp"
#include "monitor_scenes/script.hpp"

namespace batchscope::monitor_scenes {

// The loop of a training or a service in virtual time: it computes, and then waits.
class Loop {
 public:
  explicit Loop(uint64_t seed) : rng_(seed) {}

  // Goes on by `seconds`; the share of it in which it computed. Tells of the steps that it makes.
  double advance(const Work& work, double begin, double seconds,
                 const std::function<void(const telemetry::TrainingStep&)>& tell);

 private:
  void plan(const Work& work);

  stats::Rng rng_;
  double computes_ = 0, waits_ = 0;       // that are left of the step
  double step_seconds_ = 0, waited_ = 0;  // of it as a whole
  double busy_ = -1;                      // that it was planned with
  int64_t step_ = 0;
};

}  // namespace batchscope::monitor_scenes
