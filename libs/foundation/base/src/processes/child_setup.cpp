#include "child_setup.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "keeper.hpp"

namespace batchscope::base {
namespace {

[[noreturn]] void fail(SetupStep step) {
  const SetupFailure failure{step, errno};
  (void)!write(kReportFd, &failure, sizeof(failure));
  _exit(127);
}

void default_signals() {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_DFL) {
      action.sa_handler = SIG_DFL;
      sigaction(signal, &action, nullptr);
    }
  }
}

void unblock_signals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// All sources have numbers from kFirstFreeFd on, so that no target overwrites a later source.
void assign_descriptors(const ChildSetup& setup) {
  if (dup3(setup.report, kReportFd, O_CLOEXEC) < 0) _exit(127);
  if (dup2(setup.fds.standard_input, 0) < 0 || dup2(setup.fds.standard_output, 1) < 0 ||
      dup2(setup.fds.standard_error, 2) < 0) {
    fail(SetupStep::descriptors);
  }
  if (setup.fds.connection < 0) {
    close(kChildSocket);
  } else if (dup2(setup.fds.connection, kChildSocket) < 0) {
    fail(SetupStep::descriptors);
  }
  close_from(kFirstFreeFd);
}

void enter_cgroup(const std::string& path) {
  if (path.empty()) return;
  std::array<char, 16> digits{};
  size_t start = digits.size();
  for (pid_t rest = getpid(); rest > 0; rest /= 10) {
    digits[--start] = static_cast<char>('0' + rest % 10);
  }
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0 || write(fd, &digits[start], digits.size() - start) < 0) fail(SetupStep::cgroup);
  close(fd);
}

void apply_limits(const ChildSetup& setup) {
  if (setup.spec.data_limit_bytes.has_value()) {
    const rlim_t bytes = static_cast<rlim_t>(*setup.spec.data_limit_bytes);
    const rlimit limit{bytes, bytes};
    if (setrlimit(RLIMIT_DATA, &limit) != 0) fail(SetupStep::memory_limit);
  }
  if (!setup.cpus.sets.empty() && sched_setaffinity(0, setup.cpus.sets.size() * sizeof(cpu_set_t),
                                                    setup.cpus.sets.data()) != 0) {
    fail(SetupStep::cpus);
  }
}

}  // namespace

void close_from(int first) {
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  rlimit limit{};  // kernels before 5.9
  getrlimit(RLIMIT_NOFILE, &limit);
  const int end = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 65536));
  for (int fd = first; fd < end; ++fd) close(fd);
}

void die_with(pid_t parent, int signal) {
  prctl(PR_SET_PDEATHSIG, signal);
  if (getppid() != parent) _exit(127);
}

CpuMask make_cpu_mask(const std::vector<int>& cpus) {
  constexpr int kMaxCpus = 65536;
  CpuMask mask;
  for (const int cpu : cpus) {
    if (cpu < 0 || cpu >= kMaxCpus) return {false, {}};
    const size_t needed = static_cast<size_t>(cpu) / CPU_SETSIZE + 1;
    if (mask.sets.size() < needed) mask.sets.resize(needed);
    CPU_SET_S(static_cast<size_t>(cpu), mask.sets.size() * sizeof(cpu_set_t), mask.sets.data());
  }
  return mask;
}

void become_program(const ChildSetup& setup) {
  setpgid(0, 0);
  default_signals();
  if (setup.words >= 0) {
    keep_program(setup.parent, setup.words);
  } else {
    die_with(setup.parent, SIGKILL);
  }
  assign_descriptors(setup);
  unblock_signals();
  enter_cgroup(setup.spec.cgroup_procs_path);
  apply_limits(setup);
  execve(setup.program, setup.argv, setup.envp);
  fail(SetupStep::execute);
}

}  // namespace batchscope::base
