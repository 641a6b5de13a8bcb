#include "run_file.hpp"

#include <fmt/format.h>

namespace batchscope::cli {

base::Result<void> choose_run_file(Output& output, std::string_view otherwise) {
  if (output.path.empty()) output.path = otherwise;
  if (output.path != "-") return {};
  return base::Error{base::ErrorKind::usage,
                     "a run file cannot go to standard output: resuming reads the file", "-o -",
                     "name a file"};
}

void warn_of_interruption(const api::MeasuredRun& made, const std::filesystem::path& path,
                          const base::Log& log) {
  const bool measured = !made.run.visits.empty() || !made.run.probes.empty();
  if (!made.kept) {
    log.warning("interrupted before the first measurement; there is no run file");
  } else if (measured) {
    log.warning(fmt::format(
        "interrupted: {} has everything measured so far, --on-existing resume continues",
        path.string()));
  } else {
    log.warning(
        fmt::format("interrupted before the first measurement; --on-existing resume continues {}",
                    path.string()));
  }
}

}  // namespace batchscope::cli
