#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"

namespace batchscope::engine {

// "fnv1a64:0123456789abcdef": FNV-1a (Fowler, Noll, Vo) with 64-bit words in place of bytes, which
// is eight times as fast; a last word that is not full is padded with zeros, and the length in
// bytes is the last word of all. It tells files apart; it does not protect against forgery.
std::string content_hash(std::string_view content);

// The same of a file, read in pieces. Errors: input, when it cannot be read.
base::Result<std::string> file_hash(const std::filesystem::path& path);

}  // namespace batchscope::engine
