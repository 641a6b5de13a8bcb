#pragma once

#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/capacity/max_batch_run.hpp"
#include "batchscope/findings/answer.hpp"
#include "batchscope/findings/commands.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::capacity {

// What is told of a search for the largest batch.
struct MaxBatchResult {
  schema::MaxBatchSettings plan;
  std::string limit_kind;  // cgroup-v2, rlimit-data, ...; empty: the device itself
  std::string end_reason;  // search-done, budget, interrupted
  std::vector<FoundBatch> found;
  std::vector<std::string> warnings{};
  findings::Answer answer{};
};

// Of the run file alone, with what its answer proposes as commands. `path`: where the file is now;
// empty: where its own command line has it.
MaxBatchResult max_batch_result(const schema::RunFile& run, const schema::MaxBatchSettings& plan,
                                const findings::Commands& commands = {},
                                const std::string& path = {});

// The same with the plan that the run itself records. Errors: input (a header that tells no such
// search).
base::Result<MaxBatchResult> recorded_max_batch(const schema::RunFile& run,
                                                const findings::Commands& commands = {},
                                                const std::string& path = {});

// Where nobody asked about larger sizes, the largest that was tried is not the largest that fits.
bool is_all_that_was_asked(const FoundBatch& found);
// The size above was not tried: it is believed to run out of memory.
bool is_believed(const FoundBatch& found);
// "leaves 89 % free", of the safe size.
std::string free_words(const schema::MaxBatchSettings& plan, const FoundBatch& found);

// "batch 1 needs 612 MiB, 100 MiB more than the limit": why nothing fits.
std::string why_none_fits(const FoundBatch& found, const schema::MaxBatchSettings& plan);

}  // namespace batchscope::capacity
