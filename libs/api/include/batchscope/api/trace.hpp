#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batchscope/advice/comparison.hpp"
#include "batchscope/advice/job.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/trace/reader.hpp"

namespace batchscope::api {

// Whether a file is called as traces are: .json, .json.gz, .json.zst or .sqlite.
bool is_named_as_a_trace(const std::filesystem::path& path);

struct TraceOptions {
  advice::SummaryOptions summary;
  trace::ReadOptions read;
  bool annotate = false;  // make TracedJob::annotated; a folder is refused then
};

struct TracedJob {
  advice::JobSummary job;
  std::vector<std::string> left_out;  // of a folder, files that are no traces, with the reason
  // Of the last file, in Chrome's format with idle time by cause (attribution::annotated_trace).
  std::string annotated;
};

// Traces of one job, a file a rank; of a folder all files whose names end in .json, .json.gz,
// .json.zst or .sqlite, in the order of their names. One is reduced to its summary before the next
// is read. "-" is standard input. Errors: those of trace::TraceReader for a file that was named;
// input (a folder without traces).
base::Result<TracedJob> trace(const std::vector<std::filesystem::path>& files,
                              const TraceOptions& options = {});

// What changed from one trace to another. Errors: as above.
base::Result<advice::TraceComparison> compare_traces(const std::filesystem::path& before,
                                                     const std::filesystem::path& after,
                                                     const TraceOptions& options = {});

}  // namespace batchscope::api
