#pragma once

#include <filesystem>
#include <optional>

#include "batchscope/api/baselines.hpp"

namespace batchscope::api {

// baseline.json, which tells what the run files beside it are. It is written last and in one step:
// a save that was interrupted leaves the baseline as it was.
base::Result<void> write_index(const std::filesystem::path& folder, schema::Baseline baseline);
// None where nothing was saved. Errors: input (it is damaged).
base::Result<std::optional<schema::Baseline>> read_index(const std::filesystem::path& folder);

}  // namespace batchscope::api
