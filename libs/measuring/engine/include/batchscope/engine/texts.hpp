#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::engine {

// The lines of a file as texts, without their ends ("\n" or "\r\n"); an empty line is an empty
// text. Errors: input (unreadable, without a line, a line that is not UTF-8: where is FILE:LINE).
base::Result<std::vector<std::string>> read_texts(const std::filesystem::path& path);

}  // namespace batchscope::engine
