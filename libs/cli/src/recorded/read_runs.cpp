#include "read_runs.hpp"

#include <fmt/format.h>

namespace batchscope::cli {

base::Result<std::vector<schema::RunFile>> read_runs(const std::vector<std::string>& paths) {
  std::vector<schema::RunFile> runs;
  for (const std::string& path : paths) {
    auto run = schema::read_run_file(path);
    if (!run) return std::move(run).error();
    if (run->visits.empty() && !run->probes.empty()) {
      return base::Error{base::ErrorKind::input,
                         "is a search for the largest batch: it times nothing", path,
                         "see it with batchscope analyze " + path};
    }
    if (run->visits.empty()) {
      return base::Error{base::ErrorKind::input, "holds no measurements", path,
                         "measure first: batchscope profile --resume -o " + path};
    }
    runs.push_back(*std::move(run));
  }
  return runs;
}

base::Result<void> check_outputs(const Output& output, const std::vector<std::string>& inputs) {
  for (const std::string& path : inputs) {
    if (auto distinct = check_distinct(output, path); !distinct) return distinct;
  }
  return check_writable(output);
}

void warn_of_repeats(const std::vector<std::string>& paths, const base::Log& log) {
  for (size_t second = 1; second < paths.size(); ++second) {
    for (size_t first = 0; first < second; ++first) {
      std::error_code error;
      if (!std::filesystem::equivalent(paths[first], paths[second], error) || error) continue;
      log.warning(fmt::format("{} and {} are the same file; comparing it with itself tells nothing",
                              paths[first], paths[second]));
    }
  }
}

}  // namespace batchscope::cli
