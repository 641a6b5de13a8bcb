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
// The same for a run file, which is `otherwise` where none was named, and which a run that goes on
// with it does not replace. Errors: also usage, for standard output.
base::Result<void> choose_run_file(Output& output, std::string_view otherwise, bool goes_on);
// Errors: usage, when the output is the very file `input`, under whatever name.
base::Result<void> check_distinct(const Output& output, const std::filesystem::path& input);
enum class Written {
  plain,   // to standard output with its control characters spelt out: it may hold names from files
  styled,  // the report library's, which cleans names, and colours the rest
};
// Errors: failed (disk full, read-only folder, closed pipe).
base::Result<void> write_output(const Output& output, std::string_view content,
                                Written written = Written::plain);

bool stdout_is_terminal();
bool stderr_is_terminal();
// Columns of the terminal on standard output, or `fallback`.
int terminal_width(int fallback);

}  // namespace batchscope::cli
