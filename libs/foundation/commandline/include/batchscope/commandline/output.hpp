#pragma once

#include <filesystem>
#include <string>

#include "batchscope/base/result.hpp"

namespace batchscope::commandline {

// Where a result goes: a file, or standard output when the path is empty.
struct Output {
  std::filesystem::path path;
  bool overwrite = false;
};

// How to mend that an output exists.
inline constexpr char kExistsFix[] = "name another file with -o, or add --overwrite";

// Errors: usage, when the file exists and may not be replaced; `fix` says what to do then. Asked
// before any work is done.
base::Result<void> check_writable(const Output& output, const char* fix = kExistsFix);
// Errors: usage, when the output is the very file `input`, under whatever name.
base::Result<void> check_distinct(const Output& output, const std::filesystem::path& input);
enum class Written {
  plain,   // to standard output with its control characters spelt out: it may hold names from files
  styled,  // of who cleans names, and colours the rest
};
// Errors: failed (disk full, read-only folder); usage, when the file came to be after it was looked
// for, and may not be replaced. None where nobody reads standard output to its end (`| head`).
base::Result<void> write_output(const Output& output, const std::string& content,
                                Written written = Written::plain);

}  // namespace batchscope::commandline
