#include "merged_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/file.hpp"
#include "batchscope/cluster/parts.hpp"

namespace batchscope::cli {

base::Result<void> check_replaces_merged(const Output& output) {
  std::error_code unknown;
  if (output.overwrite || !std::filesystem::exists(output.path, unknown)) return {};
  const auto there = schema::read_run_file(output.path);
  if (there && !there->placements.empty()) return {};
  return base::Error{base::ErrorKind::usage, "the file exists and is no merged run",
                     output.path.string(), std::string(kExistsFix)};
}

base::Result<void> write_merged(const std::filesystem::path& folder, const cluster::JobFile& job,
                                const Output& output, const base::Log& log) {
  const auto merged = cluster::merge(folder, job);
  if (!merged) return merged.error();
  const schema::RunFile& run = merged->run;
  auto written = base::write_file_atomically(output.path, schema::run_file_text(run));
  if (!written) return written;
  if (!merged->missing.empty()) {
    log.warning(fmt::format("missing: {} {}", merged->missing.size() == 1 ? "block" : "blocks",
                            fmt::join(merged->missing, ", ")));
  }
  log.info(fmt::format("{0}: {1} of {2}, {3}; next: batchscope analyze {0}", output.path.string(),
                       run.placements.size(), base::counted(job.blocks, "block"),
                       base::counted(run.visits.size(), "visit")));
  return {};
}

}  // namespace batchscope::cli
