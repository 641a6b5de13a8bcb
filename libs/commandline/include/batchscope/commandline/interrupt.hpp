#pragma once

#include <atomic>
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
  void watch();
  std::stop_token token() const { return source_.get_token(); }
  // The signal that asked for the stop; 0 before.
  int signal() const { return signal_; }

 private:
  std::stop_source source_;
  std::atomic<int> signal_ = 0;
  std::jthread waiter_;
};

}  // namespace batchscope::commandline
