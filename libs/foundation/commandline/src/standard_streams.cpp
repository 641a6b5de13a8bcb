#include "batchscope/commandline/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace batchscope::commandline {
namespace {

bool has_reader_left = false;

}  // namespace

void hold_standard_streams() {
  // In this order, because a new descriptor takes the lowest number that is free. All are open for
  // reading only, also the outputs: a result that nobody can get must be an error.
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    if (open("/dev/null", O_RDONLY) != fd) std::abort();  // nothing printed could be trusted
  }
}

base::Result<void> print(std::string_view text) {
  if (has_reader_left) return {};
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return {};
  const int code = errno;
  has_reader_left = code == EPIPE;
  if (has_reader_left) return {};
  return base::Error{base::ErrorKind::failed, std::string("writing failed: ") + std::strerror(code),
                     "standard output",
                     code == ENOSPC ? "free some space there, or send it elsewhere"
                                    : "send it to a file, or to a program that reads it"};
}

bool reader_left() {
  return has_reader_left;
}

}  // namespace batchscope::commandline
