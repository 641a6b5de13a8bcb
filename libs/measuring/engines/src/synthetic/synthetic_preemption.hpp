#pragma once

#include "batchscope/engine/engine.hpp"
#include "batchscope/engines/synthetic.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::engines {

// The waits for a processor of one visit, drawn from the run's seed and the visit's number.
class Preemption {
 public:
  // `repeat`: how many batches the same loaded model has prepared before.
  Preemption(const PreemptionSpec& spec, const engine::VisitContext& context, int repeat);

  // What the process waits in ns while it runs for `running_ns` more.
  double wait_ns(double running_ns);

 private:
  PreemptionSpec spec_;
  stats::Rng rng_;
  double left_ns_;  // of the slice that it is in
};

}  // namespace batchscope::engines
