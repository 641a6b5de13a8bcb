#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/baseline.hpp"

namespace batchscope::api {

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
base::Result<schema::Baseline> save_baseline(const std::filesystem::path& folder,
                                             const SaveOptions& options);

// By name; none where nothing was saved. Errors: input (what is kept cannot be read).
base::Result<std::vector<schema::Baseline>> baselines_in(const std::filesystem::path& folder);
base::Result<std::optional<schema::Baseline>> find_baseline(const std::filesystem::path& folder,
                                                            const std::string& name);

}  // namespace batchscope::api
