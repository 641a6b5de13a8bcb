#include "run_file.hpp"

#include <fmt/format.h>

namespace batchscope::cli {

base::Result<void> choose_run_file(Output& output, std::string_view otherwise) {
  if (output.path.empty()) output.path = otherwise;
  if (output.path != "-") return {};
  return base::Error{
      base::ErrorKind::usage,
      "a run file cannot go to standard output, because a run may be resumed from it", "-o -",
      "name a file"};
}

void warn_of_interruption(const api::MeasuredRun& made, const std::filesystem::path& path,
                          const base::Log& log) {
  const bool measured = !made.run.visits.empty() || !made.run.probes.empty();
  if (!made.kept) {
    log.warning("interrupted before anything was measured; no run file is left");
  } else if (measured) {
    log.warning(fmt::format(
        "interrupted; everything measured so far is in {}; --on-existing resume continues it",
        path.string()));
  } else {
    log.warning(
        fmt::format("interrupted before anything was measured; --on-existing resume continues {}",
                    path.string()));
  }
}

}  // namespace batchscope::cli
