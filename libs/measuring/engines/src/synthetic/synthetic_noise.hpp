#pragma once

#include <cstdint>
#include <optional>

#include "batchscope/engine/engine.hpp"
#include "batchscope/engines/synthetic.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::engines {

// ln of what a process is slower by, for its whole life, at any batch size.
double process_effect(const SyntheticSpec& spec, const engine::VisitContext& context);

// The noise of one visit, drawn from the run's seed and the visit's number.
class VisitNoise {
 public:
  // `repeat`: how many batches the same loaded model has prepared before. `spec` outlives this.
  VisitNoise(const SyntheticSpec& spec, const engine::VisitContext& context, int64_t batch_size,
             double process, int repeat);

  // The factor on the noiseless time of iteration `index`, `now_ns` into the run.
  double factor(int index, int64_t now_ns);

 private:
  // Of an iteration that is slow now and then.
  double slow_now(int index);

  const SyntheticSpec& spec_;
  stats::Rng rng_;
  double visit_;  // ln: what stays the same for the visit
  SlowStartSpec slow_start_;
  double iteration_sd_;
  bool has_slow_iterations_ = true;
  double settled_after_ns_ = 0;
  std::optional<int64_t> began_ns_;
};

}  // namespace batchscope::engines
