#pragma once

#include <cstdint>
#include <optional>

#include "batchscope/api/measure_options.hpp"
#include "batchscope/api/measured_run.hpp"
#include "batchscope/api/program.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/capacity/max_batch_run.hpp"

namespace batchscope::api {

// What is searched, and for how long: its batch sizes say nothing, a mix of lengths counts as its
// longest, and its memory limit is what a batch has to fit into, else what the device has.
struct LargestBatchOptions : MeasureOptions {
  schema::MaxBatchSettings plan{};  // its limit is set by the memory limit of the request
  bool forget_ceilings = false;     // what is known of what is searched for here counts no more
  // The flags of the plan may be stated beside those of MeasureOptions.
};

struct LargestBatch : MeasuredRun {
  schema::MaxBatchSettings plan{};
};

// Finds the largest batch of each configuration that fits into memory, by trying in worker
// processes, and one that fits safely; nothing is timed. What ran out of memory is kept in the
// program's file of ceilings, and is not tried again. A run file that is gone on with and is
// complete is returned as it is; max_batch_result() says what a run came to. `observer` may be
// null. Errors: as profile, with those of capacity::find_max_batches.
base::Result<LargestBatch> largest_batch(const Program& program, const LargestBatchOptions& options,
                                         capacity::MaxBatchObserver* observer = nullptr);

}  // namespace batchscope::api
