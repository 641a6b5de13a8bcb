#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::api {

// A run file that is kept, and what is known of it.
struct SavedRun {
  std::filesystem::path file{};  // the copy
  std::string source{};          // what it was saved from
  std::string saved{};           // UTC, ISO 8601
  std::string commit{};          // of the folder it was saved in; empty: none
  std::string created{};         // of the run, as are the rest
  std::string host{};
  std::string machine{};
  std::vector<std::string> models{};
};

// Runs that are kept under one name.
struct Baseline {
  std::string name{};
  std::vector<SavedRun> runs{};
};

// Where baselines are kept unless somebody says otherwise: $XDG_DATA_HOME/batchscope/baselines,
// else below ~/.local/share; empty without a home.
std::filesystem::path default_baselines_folder();

enum class IfSaved { refuse, add, replace };

struct SaveOptions {
  std::string name{};               // letters, digits and ._+- after a first letter or digit
  std::vector<std::string> runs{};  // run files
  std::string commit{};             // of what they measured; empty: not known
  std::string now{};                // UTC, ISO 8601
  IfSaved if_saved = IfSaved::refuse;
};

// Copies run files into `folder` under a name. Errors: usage (a name that cannot be one, or is
// taken), input (no run file, or one without measurements), failed (the folder cannot be written).
base::Result<Baseline> save_baseline(const std::filesystem::path& folder,
                                     const SaveOptions& options);

// By name; none where nothing was saved. Errors: input (what is kept cannot be read).
base::Result<std::vector<Baseline>> baselines_in(const std::filesystem::path& folder);
base::Result<std::optional<Baseline>> find_baseline(const std::filesystem::path& folder,
                                                    const std::string& name);

// A line each: name, runs, commits, machine, models.
std::string baselines_text(std::span<const Baseline> baselines);
// {"schema_version":1,"baselines":[{"name":...,"runs":[{"file":...,"commit":...}]}]}
std::string baselines_json(std::span<const Baseline> baselines);

}  // namespace batchscope::api
