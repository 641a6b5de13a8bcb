#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::pipeline {

// The lines of a file, one text each, without their line ends. An empty line is an empty text.
// Errors: input (it cannot be read, is empty, or a line is not UTF-8: the line is named).
base::Result<std::vector<std::string>> read_texts(const std::filesystem::path& path);

// Where the first byte stands that is not part of well-formed UTF-8; npos when all is.
std::size_t find_invalid_utf8(std::string_view text);

}  // namespace batchscope::pipeline
