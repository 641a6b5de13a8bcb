#include "batchscope/api/baselines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "baseline_index.hpp"
#include "batchscope/api/recorded.hpp"
#include "batchscope/base/file.hpp"
#include "batchscope/base/user_folder.hpp"
#include "batchscope/compare/machines.hpp"

namespace batchscope::api {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;
using base::Result;
using schema::Baseline;
using schema::SavedRun;

constexpr std::size_t kLongestName = 100;

bool is_alphanumeric(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool is_of_name(char c) {
  return is_alphanumeric(c) || std::string_view("._+-").find(c) != std::string_view::npos;
}

bool is_baseline_name(const std::string& name) {
  return !name.empty() && name.size() <= kLongestName && is_alphanumeric(name.front()) &&
         std::all_of(name.begin(), name.end(), is_of_name);
}

Result<void> check_save(const SaveOptions& options, const std::optional<Baseline>& known) {
  if (!is_baseline_name(options.name)) {
    return Error{ErrorKind::usage, "is not a valid name for a baseline", options.name,
                 "use letters, digits and . _ + -, such as main or v1.2"};
  }
  if (options.runs.empty()) {
    return Error{ErrorKind::usage, "no run to save given", options.name, "name a run file"};
  }
  if (known && options.if_saved == IfSaved::refuse) {
    return Error{ErrorKind::usage, "a baseline with that name exists already", options.name,
                 "add the runs to it, replace it (--overwrite), or choose another name"};
  }
  return {};
}

SavedRun described(const schema::RunFile& run, const std::string& source,
                   const SaveOptions& options) {
  SavedRun saved;
  saved.source = fs::path(source).filename().string();
  saved.saved = options.now;
  saved.commit = options.commit;
  saved.created = run.header.created;
  saved.host = run.header.machine.host;
  saved.machine = compare::machine_words(run.header.machine);
  for (const schema::ModelInfo& model : run.header.models) saved.models.push_back(model.name);
  return saved;
}

// Into the first "N.jsonl" that is free: what another process saves at the same time stays.
Result<fs::path> copy_into(const fs::path& folder, const std::string& source) {
  const auto content = base::read_file(source);
  if (!content) return content.error();
  for (int number = 1;; ++number) {
    const fs::path file = folder / fmt::format("{}.jsonl", number);
    const auto written = base::write_new_file_atomically(file, *content);
    if (written) return file;
    if (written.error().kind != ErrorKind::usage) return written.error();
  }
}

void remove_files(const std::vector<SavedRun>& runs) {
  for (const SavedRun& run : runs) {
    std::error_code left;
    fs::remove(run.file, left);
  }
}

}  // namespace

fs::path default_baselines_folder() {
  const fs::path data = base::user_folder("XDG_DATA_HOME", ".local/share");
  return data.empty() ? data : data / "batchscope" / "baselines";
}

Result<Baseline> save_baseline(const fs::path& folder, const SaveOptions& options) {
  if (auto checked = check_save(options, std::nullopt); !checked) return checked.error();
  auto known = find_baseline(folder, options.name);
  if (!known) return known.error();
  if (auto checked = check_save(options, *known); !checked) return checked.error();
  const auto runs = read_runs(options.runs);
  if (!runs) return runs.error();
  Baseline made;
  made.name = options.name;
  if (*known && options.if_saved == IfSaved::add) made.runs = (*known)->runs;
  for (std::size_t i = 0; i < runs->size(); ++i) {
    auto file = copy_into(folder / options.name, options.runs[i]);
    if (!file) return std::move(file).error();
    made.runs.push_back(described((*runs)[i], options.runs[i], options));
    made.runs.back().file = file->string();
  }
  auto written = write_index(folder / options.name, made);
  if (!written) return written.error();
  if (*known && options.if_saved == IfSaved::replace) remove_files((*known)->runs);
  return made;
}

Result<std::optional<Baseline>> find_baseline(const fs::path& folder, const std::string& name) {
  if (folder.empty() || !is_baseline_name(name)) return std::optional<Baseline>();
  return read_index(folder / name);
}

Result<std::vector<Baseline>> baselines_in(const fs::path& folder) {
  std::vector<Baseline> all;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(folder, absent)) {
    auto found = find_baseline(folder, entry.path().filename().string());
    if (!found) return found.error();
    if (*found) all.push_back(*std::move(*found));
  }
  std::sort(all.begin(), all.end(),
            [](const Baseline& a, const Baseline& b) { return a.name < b.name; });
  return all;
}

}  // namespace batchscope::api
