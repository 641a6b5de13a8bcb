#pragma once

#include <string>
#include <vector>

#include "batchscope/capacity/max_batch_run.hpp"
#include "batchscope/findings/answer.hpp"
#include "batchscope/findings/commands.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::capacity {

// What is told of a search for the largest batch.
struct MaxBatchResult {
  MaxBatchPlan plan;
  std::string limit_kind;  // cgroup-v2, rlimit-data, ...; empty: the device itself
  std::string end_reason;  // search-done, budget, interrupted
  std::vector<FoundBatch> found;
  std::vector<std::string> warnings{};
  findings::Answer answer{};
};

// Of the run file alone, with what its answer proposes as commands. `path`: where the file is now;
// empty: where its own command line has it.
MaxBatchResult max_batch_result(const schema::RunFile& run, const MaxBatchPlan& plan,
                                const findings::Commands& commands = {},
                                const std::string& path = {});

// What was found of each configuration, for a reader; it stands below the answer. Names are
// untrusted: what steers a terminal is spelt out.
std::string found_text(const MaxBatchResult& result);
// docs/reference/schema/max-batch.schema.json
std::string max_batch_json(const MaxBatchResult& result);

// "batch 1 needs 612 MiB, 100 MiB more than the limit": why nothing fits.
std::string why_none_fits(const FoundBatch& found, const MaxBatchPlan& plan);

}  // namespace batchscope::capacity
