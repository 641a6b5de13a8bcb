#pragma once

#include <filesystem>

#include "batchscope/base/result.hpp"

namespace batchscope::trace {

// The SQLite export that the program nsys makes of its report, in that folder; it may take minutes.
// Errors: failed (no nsys in PATH, or it could not).
base::Result<std::filesystem::path> export_of_nsys(const std::filesystem::path& report,
                                                   const std::filesystem::path& folder);

}  // namespace batchscope::trace
