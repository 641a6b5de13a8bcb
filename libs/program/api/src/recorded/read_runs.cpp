#include <filesystem>

#include "batchscope/api/recorded.hpp"

namespace batchscope::api {
namespace {

using base::Error;
using base::ErrorKind;

base::Result<void> check_timed(const schema::RunFile& run, const std::string& path) {
  if (is_search(run)) {
    return Error{ErrorKind::input, "is a search for the largest batch: it times nothing", path,
                 "see it with batchscope analyze " + path};
  }
  if (run.visits.empty()) {
    return Error{ErrorKind::input, "holds no measurements", path,
                 "measure first: batchscope profile --on-existing resume -o " + path};
  }
  return {};
}

}  // namespace

bool is_search(const schema::RunFile& run) {
  return run.visits.empty() && !run.probes.empty();
}

base::Result<std::vector<schema::RunFile>> read_runs(const std::vector<std::string>& paths) {
  std::vector<schema::RunFile> runs;
  for (const std::string& path : paths) {
    auto run = schema::read_run_file(path);
    if (!run) return std::move(run).error();
    if (auto timed = check_timed(*run, path); !timed) return timed.error();
    runs.push_back(*std::move(run));
  }
  return runs;
}

base::Result<std::vector<schema::RunFile>> read_runs_or_search(
    const std::vector<std::string>& paths) {
  if (paths.size() != 1) return read_runs(paths);
  auto run = schema::read_run_file(paths.front());
  if (!run) return std::move(run).error();
  if (!is_search(*run)) {
    if (auto timed = check_timed(*run, paths.front()); !timed) return timed.error();
  }
  return std::vector{*std::move(run)};
}

std::vector<std::pair<std::string, std::string>> repeats_among(
    const std::vector<std::string>& paths) {
  std::vector<std::pair<std::string, std::string>> repeats;
  for (std::size_t second = 1; second < paths.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      std::error_code unknown;
      if (!std::filesystem::equivalent(paths[first], paths[second], unknown) || unknown) continue;
      repeats.emplace_back(paths[first], paths[second]);
    }
  }
  return repeats;
}

}  // namespace batchscope::api
