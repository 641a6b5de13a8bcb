#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "batchscope/stats/rng.hpp"
#include "batchscope/telemetry/sample.hpp"

namespace batchscope::training_scenes {

// What a training run of the simulation does; drawn by draw_run, then changed by whoever wants a
// run of some kind. Steps count from 0, shares are of a step's time.
struct RunPlan {
  int64_t steps = 3000;
  double seconds = 0.2;
  double noise = 0.03, correlation = 0.3;
  double white_noise = 0;    // in addition
  int64_t counts_to = 0;     // steps are numbered anew from there; 0: never
  bool begins_anew = false;  // and the loss is then as at first: no epochs
  bool heavy_tails = false;
  double warm_up = 0;  // of the first step, halved every 15 steps
  int64_t checkpoint_every = 0;
  double checkpoint_steps = 0;   // so many steps' time each
  double checkpoint_spread = 0;  // standard deviation of the logarithm of that
  int64_t logging_every = 0;
  double logging_share = 0;
  double spikes = 0;              // probability of a step that takes longer
  std::optional<int64_t> far_at;  // of one step that takes far longer
  double far_steps = 0;           // so many steps' time
  double most_spike = 0;          // by up to so much, drawn for each; 0: three times as long

  int64_t change_at = -1;
  std::optional<int64_t> back_at;
  double left = 0;                                          // of the change, after that
  double change = 0;                                        // 0.1: a step takes 10 % longer
  double change_of = 1;                                     // this share of the steps, at random
  int64_t change_over = 0;                                  // steps, little by little
  double drift = 0;                                         // over all steps
  double loading_share = 0.01, loading_share_after = 0.01;  // before and after change_at
  double clock_after = 1;                                   // of the SM clock before
  int64_t batch_size = 32, batch_size_after = 32;
  double busy_neighbour_after = 0;  // CPUs of others, as a share of all

  double loss_noise = 0.03;
  std::optional<int64_t> nan_at, spike_at;
  int64_t nan_steps = 0;  // from there; 0: to the end
  double spike_size = 0;  // in the loss's noise
  int64_t spike_steps = 0;
};

struct SimulatedRun {
  std::vector<telemetry::TrainingStep> steps;
  std::vector<telemetry::Sample> samples;  // one a second
};

// Uniform.
double between(stats::Rng& rng, double low, double high);

// A healthy run of drawn pace, noise, checkpoints and logging.
RunPlan draw_plan(stats::Rng& rng);
SimulatedRun simulate(const RunPlan& plan, stats::Rng& rng);

}  // namespace batchscope::training_scenes
