#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::advice {

// A trace beside a run: one that a diagnostic visit kept, or one from elsewhere.
struct NamedTrace {
  std::string file;  // as a reader knows it
  std::string of;    // what was traced: "batch 8, distilbert, bf16"; empty where nobody knows
  std::optional<TraceSummary> summary;
  std::string problem;  // why there is none
};

// The traces that the runs name, of each configuration the latest, read from beside their files
// (`paths`, in the order of the runs), and behind them those from elsewhere. What cannot be read
// says why, and stops nothing. A run file has no file read that is not beside it or below.
std::vector<NamedTrace> named_traces(const std::vector<schema::RunFile>& runs,
                                     const std::vector<std::string>& paths,
                                     const std::vector<std::filesystem::path>& elsewhere);

}  // namespace batchscope::advice
