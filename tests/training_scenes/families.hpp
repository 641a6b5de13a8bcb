#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/stats/rng.hpp"
#include "batchscope/training/step_watch.hpp"
#include "training_scenes/simulated_run.hpp"

namespace batchscope::training_scenes {

// Runs of one kind, whose numbers are drawn.
struct Family {
  std::string name;
  bool is_healthy = false;
  void (*plan)(RunPlan& plan, stats::Rng& rng) = nullptr;
  bool (*is_right)(const training::StepWatch& watch, const SimulatedRun& run,
                   const RunPlan& plan) = nullptr;
};

// Healthy ones first.
const std::vector<Family>& families();

struct Verdict {
  bool right = false;
  std::string reported;  // the plan, and all that was told of it
};

// Watches the run of that seed to its end. What is wrong has to be named with its place and its
// size; of a healthy run nothing of medium or high severity may ever stand.
Verdict judge(const Family& family, uint64_t seed);

}  // namespace batchscope::training_scenes
