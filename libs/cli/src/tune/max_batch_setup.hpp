#pragma once

#include <memory>
#include <string>
#include <vector>

#include "batchscope/capacity/max_batch_run.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/schema/run_file.hpp"
#include "tune_flags.hpp"

namespace batchscope::cli {

// What one search for the largest batch works with.
struct MaxBatchSetup {
  capacity::MaxBatchPlan plan;
  std::vector<std::unique_ptr<engine::Engine>> engines;
  measure::Job job;
  schema::RunFile run;  // new, or as recorded
};

// Errors: usage (a flag that has no meaning here, or that says otherwise than the run that is
// resumed), and those of making a job and of resuming it.
base::Result<MaxBatchSetup> set_up_max_batch(const TuneFlags& flags,
                                             const std::vector<std::string>& arguments);

// The flags of the search for the largest batch are not of any use without it. Errors: usage.
base::Result<void> check_max_batch_flags(const TuneFlags& flags);

}  // namespace batchscope::cli
