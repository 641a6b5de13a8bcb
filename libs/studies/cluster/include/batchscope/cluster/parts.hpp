#pragma once

#include <filesystem>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/cluster/job_file.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::cluster {

// The run file of one block: of what was `recorded` by a session that knew its scouts, what belongs
// to that block, with where it was measured.
schema::RunFile part_of(const schema::RunFile& recorded, const schema::Node& node,
                        const schema::Placement& placement);

// A part as it was written. Errors: input (it is cut short, or of another job, version or model).
base::Result<schema::RunFile> read_part(const std::filesystem::path& folder, const JobFile& job,
                                        int block);

// What the scouts showed, as the history of a block; empty for a scout. Errors: failed (they are
// not there yet), input (they are, but nothing could be measured; those of read_part).
base::Result<schema::RunFile> history_for(const std::filesystem::path& folder, const JobFile& job,
                                          int block);

// Blocks without a part.
std::vector<int> missing_blocks(const std::filesystem::path& folder, const JobFile& job);

struct Merged {
  schema::RunFile run;
  std::vector<int> missing;  // blocks
};
// All parts that are there as one run, each block once. Errors: input (those of read_part; there is
// no part).
base::Result<Merged> merge(const std::filesystem::path& folder, const JobFile& job);

}  // namespace batchscope::cluster
