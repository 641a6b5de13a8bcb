#include "output.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "batchscope/base/file.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/utf8.hpp"
#include "subject_flags.hpp"

namespace batchscope::cli {

using base::Error;
using base::ErrorKind;
using base::Result;

Result<void> check_writable(const Output& output) {
  std::error_code ignored;
  const auto status = std::filesystem::status(output.path, ignored);
  // Writing to a device or a pipe (/dev/null) replaces nothing.
  const bool replaces = std::filesystem::exists(status) && !std::filesystem::is_other(status);
  if (output.path.empty() || output.overwrite || !replaces) return {};
  return Error{ErrorKind::usage, "the file exists already", output.path.string(), kExistsFix};
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

Result<void> write_output(const Output& output, std::string_view said, Written made) {
  const std::string content = base::spell(said, flag_of);
  if (!output.path.empty()) return write_file(output, content);
  const bool json = content.starts_with('{') || content.starts_with('[');
  const std::string shown = made == Written::styled ? content
                            : json                  ? base::visible_json(content)
                                                    : base::visible(content);
  const bool written = std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size();
  if (written && std::fflush(stdout) == 0) return {};
  const int code = errno;
  return Error{ErrorKind::failed, std::string("cannot write: ") + std::strerror(code),
               "standard output",
               code == ENOSPC ? "free some space there, or send it elsewhere"
                              : "send it to a file or to a program that reads it to its end"};
}

bool stdout_is_terminal() {
  return isatty(STDOUT_FILENO) == 1;
}
bool stderr_is_terminal() {
  return isatty(STDERR_FILENO) == 1;
}

int terminal_width(int fallback) {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 40) return fallback;
  return size.ws_col;
}

}  // namespace batchscope::cli
