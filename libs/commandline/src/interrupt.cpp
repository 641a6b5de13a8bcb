#include "batchscope/commandline/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include "batchscope/commandline/command.hpp"

namespace batchscope::commandline {
namespace {

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  return set;
}

void wait_for_signals(const std::stop_token& over, const std::stop_source& source,
                      std::atomic<int>* seen) {
  const sigset_t set = ending_signals();
  constexpr timespec kLook{
      0, 100'000'000};  // how soon the waiter notices that it is not needed any more
  while (!over.stop_requested()) {
    const int signal = sigtimedwait(&set, nullptr, &kLook);
    if (signal < 0) continue;
    if (source.stop_requested()) _exit(kInterrupted);
    *seen = signal;
    source.request_stop();
  }
}

}  // namespace

void Interrupt::watch() {
  if (waiter_.joinable()) return;
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  waiter_ = std::jthread(wait_for_signals, source_, &signal_);
}

Interrupt::~Interrupt() {
  if (!waiter_.joinable()) return;
  waiter_.request_stop();
  waiter_.join();
}

}  // namespace batchscope::commandline
