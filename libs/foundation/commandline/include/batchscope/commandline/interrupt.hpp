#pragma once

#include <atomic>
#include <initializer_list>
#include <stop_token>
#include <thread>

#include "batchscope/base/log.hpp"

namespace batchscope::commandline {

// Turns Ctrl-C and SIGTERM into a stop request from watch() on; the second one ends the process at
// once. Watch before any other thread is made, since it blocks both signals for the threads and
// processes that come after it. Ctrl-C and SIGHUP are left alone where they were ignored when this
// program began, as nohup and the background of a script have it.
class Interrupt {
 public:
  // Watching tells the log where Ctrl-C is ignored.
  explicit Interrupt(const base::Log& log) : log_(log) {}
  ~Interrupt();
  // `more`: signals that ask for a stop beside the usual ones, such as SIGQUIT.
  void watch(std::initializer_list<int> more = {});
  // As a signal does.
  void stop() { source_.request_stop(); }
  std::stop_token token() const { return source_.get_token(); }
  // The signal that asked for the stop; 0 before, and where it was typed (Ctrl-C, Ctrl-\), which a
  // terminal sends to all processes in its foreground.
  int sent_signal() const { return sent_; }

 private:
  base::Log log_;
  std::stop_source source_;
  std::atomic<int> sent_ = 0;
  std::jthread waiter_;
};

}  // namespace batchscope::commandline
