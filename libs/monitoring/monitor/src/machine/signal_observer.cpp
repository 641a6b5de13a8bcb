#include "machine/signal_observer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace batchscope::monitor {
namespace {

// After a fork of a program with several threads: only what is safe in a signal handler. It holds
// no file open, or whoever reads this program's output would wait for it.
[[noreturn]] void witness(int tell, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  dup2(tell, STDIN_FILENO);
  close_range(STDIN_FILENO + 1, ~0U, 0);
  sigset_t ending;
  sigemptyset(&ending);
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) sigaddset(&ending, signal);
  sigprocmask(SIG_BLOCK, &ending, nullptr);
  for (;;) {
    const int signal = sigwaitinfo(&ending, nullptr);
    const auto byte = static_cast<unsigned char>(signal);
    if (signal > 0 && write(STDIN_FILENO, &byte, 1) != 1) _exit(0);
  }
}

}  // namespace

SignalObserver::SignalObserver() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) witness(ends[1], parent);
  close(ends[1]);
  reported_ = ends[0];
}

SignalObserver::~SignalObserver() {
  if (reported_ >= 0) close(reported_);
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
}

bool SignalObserver::saw(int signal) {
  constexpr int kMilliseconds = 200;
  pollfd ready{reported_, POLLIN, 0};
  unsigned char byte = 0;
  while (poll(&ready, 1, kMilliseconds) > 0 && read(reported_, &byte, 1) == 1) {
    if (byte == signal) return true;
  }
  return false;
}

}  // namespace batchscope::monitor
