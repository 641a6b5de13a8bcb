#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"

namespace batchscope::cli {

// Where a result goes: a file, or standard output when the path is empty.
struct Output {
  std::filesystem::path path;
  bool overwrite = false;
};

// Errors: usage, when the file exists and may not be replaced. Asked before any work is done.
base::Result<void> check_writable(const Output& output);
// Errors: usage, when the output is the very file `input`, under whatever name.
base::Result<void> check_distinct(const Output& output, const std::filesystem::path& input);
// Errors: failed (disk full, read-only folder, closed pipe).
base::Result<void> write_output(const Output& output, std::string_view content);

bool stdout_is_terminal();
bool stderr_is_terminal();
// Columns of the terminal on standard output, or `fallback`.
int terminal_width(int fallback);

}  // namespace batchscope::cli
