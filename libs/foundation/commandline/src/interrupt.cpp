#include "batchscope/commandline/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <string>

#include "batchscope/commandline/command.hpp"

namespace batchscope::commandline {
namespace {

bool is_ignored(int signal) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

// What was ignored when this program began stays so: a shell has what runs in its background ignore
// Ctrl-C, and nohup a terminal that goes. SIGTERM always asks for a stop.
sigset_t ending_signals(std::initializer_list<int> more) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  for (const auto& signals : {std::initializer_list<int>{SIGINT, SIGHUP}, more}) {
    for (const int signal : signals) {
      if (!is_ignored(signal)) sigaddset(&set, signal);
    }
  }
  return set;
}

bool was_typed(const siginfo_t& info) {
  return info.si_code == SI_KERNEL && (info.si_signo == SIGINT || info.si_signo == SIGQUIT);
}

void wait_for_signals(const std::stop_token& over, const sigset_t& set,
                      const std::stop_source& source, std::atomic<int>* sent) {
  constexpr timespec kLook{
      0, 100'000'000};  // how soon the waiter notices that it is not needed any more
  while (!over.stop_requested()) {
    siginfo_t info{};
    if (sigtimedwait(&set, &info, &kLook) < 0) continue;
    if (source.stop_requested()) _exit(kInterrupted);
    *sent = was_typed(info) ? 0 : info.si_signo;
    source.request_stop();
  }
}

}  // namespace

void Interrupt::watch(std::initializer_list<int> more) {
  if (waiter_.joinable()) return;
  const sigset_t set = ending_signals(more);
  if (sigismember(&set, SIGINT) == 0) {
    log_.info("Ctrl-C (SIGINT) does nothing, because the caller ignores it; to stop, use: kill " +
              std::to_string(getpid()));
  }
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  waiter_ = std::jthread(wait_for_signals, set, source_, &sent_);
}

Interrupt::~Interrupt() {
  if (!waiter_.joinable()) return;
  waiter_.request_stop();
  waiter_.join();
}

}  // namespace batchscope::commandline
