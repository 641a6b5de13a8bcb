#pragma once

#include <filesystem>
#include <string_view>

#include "batchscope/trace/reader.hpp"

namespace batchscope::trace {

// What every SQLite file begins with.
inline constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};

// An export of Nsight Systems. Errors: input (no such export, a damaged one, not one event in it).
base::Result<Trace> read_nsys(const std::filesystem::path& file, const ReadOptions& options);

}  // namespace batchscope::trace
