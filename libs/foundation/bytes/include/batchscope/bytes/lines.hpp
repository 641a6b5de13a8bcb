#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "batchscope/base/line_reader.hpp"
#include "batchscope/base/result.hpp"

namespace batchscope::bytes {

// The lines of a file, whether it is compressed or not. Errors: input, as base::LineReader; then
// also where compressed data are damaged, or become more than 4 GiB.
base::Result<base::LineReader> lines_of(const std::filesystem::path& file);

// At most so much of its beginning; nothing of what cannot be read.
std::string head_of(const std::filesystem::path& file, size_t most_bytes);
// By gzip or zstd.
bool is_compressed(std::string_view head);

}  // namespace batchscope::bytes
