#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "batchscope/findings/finding.hpp"
#include "batchscope/schema/resources.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::findings {

// A loop beside a step of one length, ms. The intervals are those of one more visit: they hold what
// another process would show, not only the mean of those that were measured.
struct StepTime {
  double step_ms = 0;
  Estimate iteration_ms;
  Estimate wait_ms;
};

// One setting of a DataLoader in Python with its step: medians over visits by default, times of a
// batch in ms.
struct LoaderRow {
  schema::RunConfig config;
  int n = 0;              // visits
  Estimate iteration_ms;  // geometric mean over visits of their mean iterations
  double wait_ms = 0;     // of it
  double own_ms = 0;      // of it, the step itself
  double fetch_ms = 0, collate_ms = 0;
  double typical_ms = 0, slow_ms = 0;  // fetch and collate: the median, and what 95 % stay below
  double cpu_ms = 0;                   // of all processes of the loader
  double first_batch_ms = 0, new_epoch_ms = 0;
  std::optional<double> handover_ms;
  std::optional<int64_t> samples;                    // of an epoch
  int64_t fewest_samples = 0, most_samples = 0;      // of its visits: alike, as a rule
  std::optional<schema::BatchCopies> copies;         // on an accelerator
  std::optional<schema::WorkerMemory> begun, ended;  // of a worker
  double epoch_share = 0;                            // that lies between the two
  std::vector<StepTime> steps;                       // measured, from the shortest on
  std::vector<StepTime> between;                     // of lengths between those
  // From here on hardly any iteration waits; absent: at every length that was measured, or at none.
  std::optional<Estimate> shortest_step_ms;
  bool always_waits = false;
};

}  // namespace batchscope::findings
