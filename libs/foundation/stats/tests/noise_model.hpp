#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "batchscope/stats/rng.hpp"

namespace batchscope::stats {

// What one visit's time looks like on a real machine, as the method assumes it: lognormal noise of
// the visit and of its fresh process, and now and then a neighbour that makes the whole visit
// slower.
struct NoiseModel {
  double visit_sd = 0.03;
  double process_sd = 0.015;
  double spike_probability = 0.02;
  double spike_size = 0.30;
};

// ln(time) of a visit whose true time is 1.
inline double draw_log_time(Rng& rng, const NoiseModel& model) {
  const double noise = model.visit_sd * rng.normal() + model.process_sd * rng.normal();
  const bool spiked = rng.uniform() < model.spike_probability;
  return noise + (spiked ? std::log1p(model.spike_size) : 0.0);
}

// The paired contrasts ln t(b) - ln t(a) of `blocks` blocks, where the true value is `effect`.
inline std::vector<double> draw_contrasts(Rng& rng, const NoiseModel& model, std::size_t blocks,
                                          double effect = 0.0) {
  std::vector<double> contrasts(blocks);
  std::generate(contrasts.begin(), contrasts.end(),
                [&] { return effect + draw_log_time(rng, model) - draw_log_time(rng, model); });
  return contrasts;
}

}  // namespace batchscope::stats
