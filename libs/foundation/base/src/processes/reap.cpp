#include "reap.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "batchscope/base/file.hpp"
#include "launch.hpp"

namespace batchscope::base {
namespace {

Nanoseconds to_duration(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

}  // namespace

bool has_ended(pid_t pid) {
  siginfo_t info{};
  const int rc = waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
  return rc != 0 || info.si_pid != 0;
}

bool is_traced(pid_t pid) {
  constexpr int64_t kMost = 4096;
  const auto stat = read_file("/proc/" + std::to_string(pid) + "/stat", kMost);
  if (!stat) return false;
  // "4711 (name) t ...": the name may hold anything.
  const std::size_t name_ends = stat->rfind(") ");
  return name_ends != std::string::npos && stat->substr(name_ends + 2, 1) == "t";
}

bool await_end(pid_t pid, int pidfd, Deadline deadline) {
  while (!has_ended(pid)) {
    int timeout = poll_timeout(deadline);
    if (timeout == 0) return false;
    if (pidfd < 0) timeout = std::min(timeout, kFallbackPollMs);
    pollfd ended{pidfd, POLLIN, 0};
    poll(&ended, 1, timeout);
  }
  return true;
}

Result<ChildExit> reap(pid_t pid) {
  ::kill(-pid, SIGKILL);
  int status = 0;
  rusage usage{};
  while (wait4(pid, &status, 0, &usage) < 0) {
    if (errno != EINTR) return system_error("cannot wait for the child");
  }
  ChildExit exit;
  set_end(status, exit);
  exit.user = to_duration(usage.ru_utime);
  exit.system = to_duration(usage.ru_stime);
  exit.max_rss_bytes = int64_t{usage.ru_maxrss} * 1024;
  exit.minor_faults = usage.ru_minflt;
  exit.major_faults = usage.ru_majflt;
  return exit;
}

void set_end(int status, ChildExit& exit) {
  exit.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  exit.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int poll_timeout(Deadline deadline) {
  const auto now = Deadline::clock::now();
  if (deadline <= now) return 0;
  const auto left = std::min<Deadline::duration>(deadline - now, std::chrono::hours(1));
  // Rounded up: waking a moment early would only poll again.
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count());
}

}  // namespace batchscope::base
