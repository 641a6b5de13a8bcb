#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batchscope/advice/comparison.hpp"
#include "batchscope/advice/job.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/trace/reader.hpp"

namespace batchscope::api {

struct TraceOptions {
  advice::SummaryOptions summary;
  trace::ReadOptions read;
  bool annotate = false;  // make TracedJob::annotated; a folder is refused then
};

struct TracedJob {
  advice::JobSummary job;
  // Files that do not count, with the reason: of a folder what cannot be read, with the command
  // that makes a readable file of it; profiles that a worker left before its last, with their
  // answer.
  std::vector<std::string> left_out;
  // Of the last file, in Chrome's format with idle time by cause (attribution::annotated_trace).
  std::string annotated;
};

// Traces of one job, a file a rank; of a folder all files whose names end in .json, .json.gz,
// .json.zst or .sqlite, and others that are known to hold recordings, in the order of their names.
// Of several profiles of one worker, as TensorBoard's folders hold them, the last counts. One is
// reduced to its summary before the next
// is read. "-" is standard input. Errors: those of trace::TraceReader for a file that was named;
// input (a folder without traces).
base::Result<TracedJob> trace(const std::vector<std::filesystem::path>& files,
                              const TraceOptions& options = {});

// What changed from one side to the other: of each one trace, the ranks of a job, or several
// recordings, also as folders; at least one. Errors: as above.
base::Result<advice::TraceComparison> compare_traces(
    const std::vector<std::filesystem::path>& before,
    const std::vector<std::filesystem::path>& after, const TraceOptions& options = {});

}  // namespace batchscope::api
