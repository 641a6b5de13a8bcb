#include "batchscope/commandline/output.hpp"

#include <filesystem>
#include <system_error>

#include "batchscope/base/characters.hpp"
#include "batchscope/base/file.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/commandline/standard_streams.hpp"

namespace batchscope::commandline {

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
  return Error{ErrorKind::usage, "the output would overwrite the input", output.path.string(),
               "name another file with -o"};
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

Result<void> write_output(const Output& output, const std::string& content, Written made) {
  if (!output.path.empty()) return write_file(output, content);
  const bool json = content.starts_with('{') || content.starts_with('[');
  const std::string shown = made == Written::styled ? content
                            : json                  ? base::visible_json(content)
                                                    : base::visible(content);
  return print(shown);
}

}  // namespace batchscope::commandline
