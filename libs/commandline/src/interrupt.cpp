#include "batchscope/commandline/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include "batchscope/commandline/command.hpp"

namespace batchscope::commandline {
namespace {

sigset_t ending_signals(std::initializer_list<int> more) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  for (const int signal : more) sigaddset(&set, signal);
  return set;
}

struct Seen {
  std::atomic<int>& signal;
  std::atomic<bool>& from_terminal;
};

void wait_for_signals(const std::stop_token& over, const sigset_t& set,
                      const std::stop_source& source, Seen seen) {
  constexpr timespec kLook{
      0, 100'000'000};  // how soon the waiter notices that it is not needed any more
  while (!over.stop_requested()) {
    siginfo_t info{};
    const int signal = sigtimedwait(&set, &info, &kLook);
    if (signal < 0) continue;
    if (source.stop_requested()) _exit(kInterrupted);
    seen.from_terminal = info.si_code == SI_KERNEL;
    seen.signal = signal;
    source.request_stop();
  }
}

}  // namespace

void Interrupt::watch(std::initializer_list<int> more) {
  if (waiter_.joinable()) return;
  const sigset_t set = ending_signals(more);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  waiter_ = std::jthread(wait_for_signals, set, source_, Seen{signal_, from_terminal_});
}

Interrupt::~Interrupt() {
  if (!waiter_.joinable()) return;
  waiter_.request_stop();
  waiter_.join();
}

}  // namespace batchscope::commandline
