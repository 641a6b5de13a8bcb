#pragma once

#include <cstdint>

#include "batchscope/engine/engine.hpp"
#include "batchscope/stats/rng.hpp"
#include "batchscope/synthetic/synthetic.hpp"

namespace batchscope::synthetic {

// ln of what a process is slower by, for its whole life, at any batch size.
double process_effect(const SyntheticSpec& spec, const engine::VisitContext& context);

// The noise of one visit, drawn from the run's seed and the visit's number.
class VisitNoise {
 public:
  // `repeat`: how many batches the same loaded model has prepared before.
  VisitNoise(const SyntheticSpec& spec, const engine::VisitContext& context, int64_t batch_size,
             double process, int repeat);

  // The factor on the noiseless time of iteration `index`, `now_ns` into the run.
  double factor(int index, int64_t now_ns);

 private:
  const SyntheticSpec& spec_;
  stats::Rng rng_;
  double visit_;  // ln: what stays the same for the visit
  SlowStartSpec slow_start_;
};

}  // namespace batchscope::synthetic
