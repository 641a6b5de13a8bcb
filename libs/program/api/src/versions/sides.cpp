#include "batchscope/api/sides.hpp"

#include <algorithm>
#include <fstream>

#include "batchscope/api/baselines.hpp"
#include "batchscope/api/recorded.hpp"

namespace batchscope::api {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;
using base::Result;

bool is_folder(const fs::path& path) {
  std::error_code absent;
  return fs::is_directory(path, absent);
}

// A run file is JSON lines; no format of models begins so. One that is named as a run file is meant
// as one, be it there or not.
bool is_run_file(const fs::path& path) {
  if (path.extension() == ".jsonl") return true;
  std::error_code absent;
  return fs::is_regular_file(path, absent) && std::ifstream(path).peek() == '{';
}

Result<Side> folder_side(const fs::path& folder) {
  Side side{folder.string(), {}};
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
    if (entry.path().extension() == ".jsonl") side.runs.push_back(entry.path().string());
  }
  std::sort(side.runs.begin(), side.runs.end());
  if (!side.runs.empty()) return side;
  return Error{ErrorKind::input, "holds no run file", folder.string(),
               "name a folder with files that end in .jsonl"};
}

std::string stem_of(const fs::path& path) {
  return path.stem().string();
}

// Every one of them is to be readable.
Result<History> history_of(const std::vector<std::string>& paths) {
  auto runs = read_runs(paths);
  if (!runs) return std::move(runs).error();
  History history;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    history.runs.push_back({stem_of(paths[i]), std::move((*runs)[i])});
  }
  return history;
}

History readable(const std::vector<std::string>& paths) {
  History history;
  for (const std::string& path : paths) {
    auto run = read_runs({path});
    if (run) {
      history.runs.push_back({stem_of(path), std::move(run->front())});
    } else {
      history.left_out.push_back(base::to_string(run.error()));
    }
  }
  return history;
}

Result<History> history_of(const schema::Baseline& baseline) {
  std::vector<std::string> paths;
  for (const schema::SavedRun& run : baseline.runs) paths.push_back(run.file);
  auto history = history_of(paths);
  if (!history) return history;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const schema::SavedRun& saved = baseline.runs[i];
    history->runs[i].label = saved.commit.empty() ? stem_of(saved.source) : saved.commit;
  }
  return history;
}

}  // namespace

Result<Side> read_side(const std::string& named, const fs::path& baselines) {
  if (is_folder(named)) return folder_side(named);
  if (is_run_file(named)) return Side{named, {named}};
  const auto baseline = find_baseline(baselines, named);
  if (!baseline) return baseline.error();
  Side side{named, {}};
  if (!*baseline) return side;
  for (const schema::SavedRun& run : (*baseline)->runs) side.runs.push_back(run.file);
  return side;
}

Result<void> check_apart(const Side& old_side, const Side& new_side) {
  std::vector<std::string> all = old_side.runs;
  all.insert(all.end(), new_side.runs.begin(), new_side.runs.end());
  const auto repeats = repeats_among(all);
  if (repeats.empty()) return {};
  return Error{ErrorKind::usage, "appears twice: a comparison needs two different runs",
               repeats.front().second, "name each run once"};
}

Result<History> read_history(const std::string& named, const fs::path& baselines) {
  if (is_folder(named)) {
    const auto side = folder_side(named);
    if (!side) return side.error();
    return readable(side->runs);
  }
  std::error_code absent;
  if (fs::exists(named, absent)) return history_of(std::vector{named});
  const auto baseline = find_baseline(baselines, named);
  if (!baseline) return baseline.error();
  return *baseline ? history_of(**baseline) : history_of(std::vector{named});
}

}  // namespace batchscope::api
