#pragma once

#include <cstdint>
#include <string>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::measure {

// How long a run is going to take. Before anything is measured only bounds are known.
struct TimeEstimate {
  int64_t visits = 0;     // of the pilot
  double at_least_s = 0;  // timed parts alone
  double likely_s = 0;    // with start-up and warm-up as `startup_s` has them
  double at_most_s = 0;   // the budget, or every visit at its deadline
  std::string basis;      // "assuming 1.0 s to start a worker", "from a probe of 4 visits"
};

// Without measuring: `startup_s` is what starting and loading a worker is assumed to take.
TimeEstimate estimate_time(const schema::MeasurementPlan& plan, int configs,
                           double startup_s = 1.0);

// From visits that were made (a probe, or a first block).
TimeEstimate estimate_time(const schema::MeasurementPlan& plan, int configs,
                           const schema::RunFile& probe);

}  // namespace batchscope::measure
