#include "baseline_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/file.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/schema/json.hpp"

namespace batchscope::api {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;
using base::Result;
using Json = nlohmann::ordered_json;

constexpr const char* kIndex = "baseline.json";
constexpr int64_t kMostIndexBytes = int64_t{16} << 20;
constexpr std::size_t kCommitsTold = 3;

Json saved_run_json(const SavedRun& run, const std::string& file) {
  return {{"file", file},           {"source", run.source},   {"saved", run.saved},
          {"commit", run.commit},   {"created", run.created}, {"host", run.host},
          {"machine", run.machine}, {"models", run.models}};
}

std::string written(const Json& made) {
  return schema::dump(made) + "\n";
}

template <class FileName>
Json runs_json(const Baseline& baseline, const FileName& name_of) {
  Json runs = Json::array();
  for (const SavedRun& run : baseline.runs) runs.push_back(saved_run_json(run, name_of(run.file)));
  return runs;
}

// Beside the files, which may be moved with it.
Json index_json(const Baseline& baseline) {
  const auto name = [](const fs::path& file) { return file.filename().string(); };
  return {{"schema_version", 1}, {"name", baseline.name}, {"runs", runs_json(baseline, name)}};
}

std::string text_in(const Json& read, const char* key) {
  const auto found = read.find(key);
  return found != read.end() && found->is_string() ? found->get<std::string>() : "";
}

// Its file lies beside the index, whatever the index says.
std::optional<SavedRun> saved_run(const Json& read, const fs::path& folder) {
  const fs::path name = fs::path(text_in(read, "file")).filename();
  if (!read.is_object() || name.empty()) return std::nullopt;
  SavedRun run;
  run.file = folder / name;
  run.source = text_in(read, "source");
  run.saved = text_in(read, "saved");
  run.commit = text_in(read, "commit");
  run.created = text_in(read, "created");
  run.host = text_in(read, "host");
  run.machine = text_in(read, "machine");
  if (const auto models = read.find("models"); models != read.end() && models->is_array()) {
    for (const Json& model : *models) {
      if (model.is_string()) run.models.push_back(model.get<std::string>());
    }
  }
  return run;
}

// What the runs have of it, once each.
template <class Get>
std::vector<std::string> values_of(const Baseline& baseline, const Get& get) {
  std::vector<std::string> values;
  for (const SavedRun& run : baseline.runs) {
    for (const std::string& value : get(run)) base::add_if_new(values, value);
  }
  std::erase(values, "");
  return values;
}

std::string commits_of(const Baseline& baseline) {
  auto commits = values_of(baseline, [](const SavedRun& run) { return std::vector{run.commit}; });
  if (commits.empty()) return "no commit";
  const std::size_t more = commits.size() - std::min(commits.size(), kCommitsTold);
  commits.resize(commits.size() - more);
  return base::join(commits, ", ") + (more == 0 ? "" : fmt::format(" and {} more", more));
}

}  // namespace

Result<void> write_index(const fs::path& folder, const Baseline& baseline) {
  return base::write_file_atomically(folder / kIndex, written(index_json(baseline)));
}

Result<std::optional<Baseline>> read_index(const fs::path& folder) {
  const fs::path path = folder / kIndex;
  std::error_code absent;
  if (!fs::exists(path, absent)) return std::optional<Baseline>();
  const auto text = base::read_file(path, kMostIndexBytes);
  if (!text) return text.error();
  const Json json = Json::parse(*text, nullptr, false);
  Baseline baseline;
  baseline.name = folder.filename().string();
  if (json.is_object() && json.contains("runs") && json["runs"].is_array()) {
    for (const Json& each : json["runs"]) {
      if (auto run = saved_run(each, folder)) baseline.runs.push_back(*std::move(run));
    }
  }
  if (!baseline.runs.empty()) return std::optional(std::move(baseline));
  return Error{ErrorKind::input, "is not a list of saved runs", path.string(),
               "save the baseline again, or remove its folder"};
}

std::string baselines_text(std::span<const Baseline> baselines) {
  std::size_t width = 0;
  for (const Baseline& baseline : baselines) width = std::max(width, baseline.name.size());
  std::string text;
  for (const Baseline& baseline : baselines) {
    const auto machines =
        values_of(baseline, [](const SavedRun& run) { return std::vector{run.machine}; });
    const auto models = values_of(baseline, [](const SavedRun& run) { return run.models; });
    text += fmt::format("{:<{}}  {}  {}  {}  {}  {}\n", baseline.name, width,
                        base::counted(baseline.runs.size(), "run"), baseline.runs.back().created,
                        commits_of(baseline), base::join(machines, "; "), base::join(models, ", "));
  }
  return text.empty() ? "no baseline is saved\n" : text;
}

std::string baselines_json(std::span<const Baseline> baselines) {
  Json json = {{"schema_version", 1}, {"baselines", Json::array()}};
  for (const Baseline& baseline : baselines) {
    const auto path = [](const fs::path& file) { return file.string(); };
    json["baselines"].push_back({{"name", baseline.name}, {"runs", runs_json(baseline, path)}});
  }
  return written(json);
}

}  // namespace batchscope::api
