#include "output.hpp"

#include <unistd.h>

#include <system_error>

#include "batchscope/base/file.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/terminal.hpp"
#include "batchscope/base/utf8.hpp"
#include "batchscope/commandline/standard_streams.hpp"
#include "batchscope/commands/flags.hpp"

namespace batchscope::cli {

using base::Error;
using base::ErrorKind;
using base::Result;

Result<void> check_writable(const Output& output, const char* fix) {
  std::error_code ignored;
  const auto status = std::filesystem::status(output.path, ignored);
  // Writing to a device or a pipe (/dev/null) replaces nothing.
  const bool replaces = std::filesystem::exists(status) && !std::filesystem::is_other(status);
  if (output.path.empty() || output.overwrite || !replaces) return {};
  return Error{ErrorKind::usage, "the file exists already", output.path.string(), fix};
}

Result<void> check_distinct(const Output& output, const std::filesystem::path& input) {
  std::error_code absent;
  const bool same =
      !output.path.empty() && std::filesystem::equivalent(output.path, input, absent) && !absent;
  // A device or a pipe is not replaced by writing to it.
  if (!same || std::filesystem::is_other(output.path, absent)) return {};
  return Error{ErrorKind::usage, "the output is the input, which would be lost",
               output.path.string(), "name another file with -o"};
}

namespace {

Result<void> write_file(const Output& output, std::string_view content) {
  if (output.overwrite) return base::write_file_atomically(output.path, content);
  auto written = base::write_new_file_atomically(output.path, content);
  if (written || written.error().kind != ErrorKind::usage) return written;
  Error error = written.error();
  error.fix = kExistsFix;
  return error;
}

}  // namespace

Written look_of(Format format) {
  return format == Format::text ? Written::styled : Written::plain;
}

Result<void> write_output(const Output& output, std::string_view said, Written made) {
  const std::string content = base::spell(said, commands::flag_of);
  if (!output.path.empty()) return write_file(output, content);
  const bool json = content.starts_with('{') || content.starts_with('[');
  const std::string shown = made == Written::styled ? content
                            : json                  ? base::visible_json(content)
                                                    : base::visible(content);
  return commandline::print(shown);
}

report::TextStyle text_options(const Output& output, bool brief) {
  report::TextStyle style;  // as it is for files
  style.extent = brief ? report::Extent::answer : report::Extent::all;
  if (!output.path.empty()) return style;
  style.width = base::columns_of(STDOUT_FILENO, style.width);
  style.answer_width = base::columns_of(STDOUT_FILENO, style.answer_width);
  style.colour = base::shows_colour(STDOUT_FILENO);
  return style;
}

}  // namespace batchscope::cli
