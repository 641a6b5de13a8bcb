#include "batchscope/cluster/device_lock.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <thread>

namespace batchscope::cluster {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr auto kLookAgain = std::chrono::milliseconds(100);

// A name in the kernel's memory, not in a file: engines give their tasks temporary folders of their
// own, and users cannot open each other's files.
Result<bool> bind_name(int fd, const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof address.sun_path - 1);
  std::memcpy(address.sun_path + 1, name.data(), length);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0) return true;
  if (errno == EADDRINUSE) return false;
  return Error{ErrorKind::failed, fmt::format("cannot be locked: {}", std::strerror(errno)), name,
               ""};
}

Result<base::UniqueFd> wait_for(const std::string& name, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    base::UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto bound = bind_name(fd.get(), name);
    if (!bound) return bound.error();
    if (*bound) return fd;
    std::this_thread::sleep_for(kLookAgain);
  }
  return Error{ErrorKind::interrupted, "interrupted", "", ""};
}

}  // namespace

// In one order for all, so that no two blocks wait for each other.
Result<DeviceLock> DeviceLock::take(const std::string& node, std::vector<std::string> devices,
                                    const std::stop_token& stop) {
  const auto start = std::chrono::steady_clock::now();
  std::sort(devices.begin(), devices.end());
  DeviceLock lock;
  for (const std::string& device : devices) {
    auto held = wait_for(fmt::format("batchscope/{}/{}", device, node), stop);
    if (!held) return std::move(held).error();
    lock.held_.push_back(*std::move(held));
  }
  lock.waited_s_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return lock;
}

}  // namespace batchscope::cluster
