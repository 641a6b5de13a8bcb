#pragma once

#include <filesystem>

#include "batchscope/api/measure_options.hpp"
#include "batchscope/api/program.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/cluster/job_file.hpp"
#include "batchscope/measure/observer.hpp"

namespace batchscope::api {

// Writes the job of what `profile` would measure here, to be measured block by block anywhere; one
// that is there gets more blocks. Errors: usage (what a job cannot do; it is there and differs in
// more than blocks), and those of profile_job.
base::Result<cluster::JobFile> make_job(const Program& program, const MeasureOptions& options,
                                        const std::filesystem::path& folder);

// `dropped`: another process had written it when this one was done.
enum class BlockOutcome { measured, there_already, dropped };

// Measures one block of a job on this machine's device, alone, and writes its part. Sets
// environment variables: no other thread of the program may use them meanwhile. Errors: failed (the
// scouts are not there; the part cannot be written; what is wrong with a worker), usage (no such
// block), input (no job; one of another version or model; scouts that measured nothing),
// interrupted.
base::Result<BlockOutcome> measure_block(const Program& program,
                                         const std::filesystem::path& folder, int block,
                                         measure::Observer* observer = nullptr);

}  // namespace batchscope::api
