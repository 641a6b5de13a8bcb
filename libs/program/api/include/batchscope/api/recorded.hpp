#pragma once

#include <string>
#include <utility>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::api {

// Runs that were measured, from their files. Errors: input (not a run file, or one without
// measurements).
base::Result<std::vector<schema::RunFile>> read_runs(const std::vector<std::string>& paths);

// The same, and also a single search for the largest batch, which times nothing (is_search).
// Errors: those of read_runs.
base::Result<std::vector<schema::RunFile>> read_runs_or_search(
    const std::vector<std::string>& paths);

// Whether the run only looked for the largest batch: it has tries, and no visits.
bool is_search(const schema::RunFile& run);

// Paths of the same file, two by two. Several runs are taken for independent samples: one file
// twice would be certain of itself.
std::vector<std::pair<std::string, std::string>> repeats_among(
    const std::vector<std::string>& paths);

}  // namespace batchscope::api
