#pragma once

#include <atomic>
#include <initializer_list>
#include <stop_token>
#include <thread>

namespace batchscope::commandline {

// Turns Ctrl-C and SIGTERM into a stop request from watch() on; the second one ends the process at
// once. Watch before any other thread is made, since it blocks both signals for the threads and
// processes that come after it.
class Interrupt {
 public:
  Interrupt() = default;
  ~Interrupt();
  // `more`: signals that ask for a stop beside the usual ones, such as SIGQUIT.
  void watch(std::initializer_list<int> more = {});
  // As a signal does.
  void stop() { source_.request_stop(); }
  std::stop_token token() const { return source_.get_token(); }
  // The signal that asked for the stop; 0 before.
  int signal() const { return signal_; }
  // Whether a terminal sent it, which sends it to all processes in its foreground; else some
  // process did, perhaps to this one alone.
  bool from_terminal() const { return from_terminal_; }

 private:
  std::stop_source source_;
  std::atomic<int> signal_ = 0;
  std::atomic<bool> from_terminal_ = false;
  std::jthread waiter_;
};

}  // namespace batchscope::commandline
