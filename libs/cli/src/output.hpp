#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/report/text.hpp"
#include "format.hpp"

namespace batchscope::cli {

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
  styled,  // the report library's, which cleans names, and colours the rest
};
// Text is the report library's, and styled; other formats are plain.
Written look_of(Format format);
// What the content mentions is spelt as flags. Errors: failed (disk full, read-only folder); usage,
// when the file came to be after it was looked for, and may not be replaced. None where nobody
// reads standard output to its end (`| head`).
base::Result<void> write_output(const Output& output, std::string_view content,
                                Written written = Written::plain);

// As wide as the terminal that it goes to, and coloured where that shows colours. `brief`: the
// answer alone.
report::TextStyle text_options(const Output& output, bool brief = false);

}  // namespace batchscope::cli
