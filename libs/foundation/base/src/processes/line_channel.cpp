#include "batchscope/base/line_channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "files/file_io.hpp"
#include "line_buffer.hpp"

namespace batchscope::base {
namespace {

// Out of the way of a program that writes into, or closes, descriptors that it takes for its own.
int highest_descriptors() {
  constexpr rlim_t kHigh = 900, kRoom = 24;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= kRoom) return 0;
  return static_cast<int>(std::min(kHigh, limit.rlim_cur - kRoom));
}

Error connection_error(std::string_view action) {
  return {ErrorKind::failed, std::string(action) + ": " + errno_text(errno), "", ""};
}

}  // namespace

LineChannel::LineChannel(int fd) : fd_(fd) {
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, highest_descriptors());
  if (high < 0) {
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    return;
  }
  close(fd);
  fd_ = high;
}

LineChannel::~LineChannel() {
  close(fd_);
}

Result<void> LineChannel::send_line(std::string_view line) {
  std::string full(line);
  full.push_back('\n');
  for (std::string_view rest = full; !rest.empty();) {
    const ssize_t sent = send(fd_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return connection_error("cannot send a line");
    rest.remove_prefix(static_cast<size_t>(sent));
  }
  return {};
}

bool LineChannel::has_input() const {
  if (buffer_.find('\n', searched_) != std::string::npos) return true;
  pollfd input{fd_, POLLIN, 0};
  return poll(&input, 1, 0) > 0;
}

Result<std::optional<std::string>> LineChannel::receive_line() {
  while (true) {
    if (auto line = take_line(buffer_, searched_)) return line;
    const ssize_t count = append_from(fd_, buffer_);
    if (count < 0 && errno != EINTR) return connection_error("cannot receive a line");
    if (count == 0) return std::optional<std::string>();
  }
}

}  // namespace batchscope::base
