#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "batchscope/schema/run_config.hpp"
#include "batchscope/schema/visit.hpp"

namespace batchscope::measure {

// Where the traces of a run are kept: "results/run.traces" of "results/run.jsonl".
std::filesystem::path trace_folder_of(const std::filesystem::path& run_file);

// Whether there is a trace of a run in it.
bool holds_traces(const std::filesystem::path& folder);
// Takes away what runs have put there, and the folder where nothing else is in it.
void remove_traces(const std::filesystem::path& folder);

// The name of the file in that folder for the trace of a configuration, which none of the visits
// has: "batch-8.config-2.trace.json.gz".
std::string trace_name(const schema::RunConfig& run, int config,
                       std::span<const schema::Visit> visits);
// That file as a run file names it: "run.traces/batch-8.config-2.trace.json.gz".
std::string recorded_name(const std::filesystem::path& trace_file);

}  // namespace batchscope::measure
