#include "output_capture.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace batchscope::torch_plugin {
namespace {

base::Error failure(const char* what) {
  return {base::ErrorKind::failed, std::string(what) + ": " + std::strerror(errno), "output", ""};
}

void flush() {
  std::fflush(stdout);
  std::fflush(stderr);
}

base::Result<std::string> read_all(int file) {
  std::string text;
  char buffer[1 << 16];
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(file, buffer, sizeof buffer, at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failure("cannot read the captured output");
    if (got == 0) return text;
    text.append(buffer, static_cast<size_t>(got));
    at += got;
  }
}

}  // namespace

base::Result<OutputCapture> OutputCapture::start(int stream) {
  const int original = ::fcntl(stream, F_DUPFD_CLOEXEC, 0);
  if (original < 0) return failure("cannot duplicate it");
  const int caught = ::memfd_create("batchscope", MFD_CLOEXEC);
  OutputCapture capture(stream, original, caught);
  flush();  // what was written before goes where it was meant to
  if (caught < 0 || ::dup2(caught, stream) < 0) return failure("cannot redirect it");
  return capture;
}

OutputCapture::OutputCapture(OutputCapture&& other) noexcept
    : stream_(other.stream_),
      original_(std::exchange(other.original_, -1)),
      caught_(std::exchange(other.caught_, -1)) {}

OutputCapture::~OutputCapture() {
  restore();
  if (caught_ >= 0) ::close(caught_);
}

void OutputCapture::restore() {
  if (original_ < 0) return;
  flush();
  ::dup2(original_, stream_);
  ::close(std::exchange(original_, -1));
}

base::Result<std::string> OutputCapture::finish() {
  restore();
  return read_all(caught_);
}

}  // namespace batchscope::torch_plugin
