#pragma once

#include <stop_token>
#include <thread>

namespace batchscope::cli {

// Turns Ctrl-C and SIGTERM into a stop request; the second one ends the process at once. Make it
// before any other thread, since it blocks both signals for the threads and processes that come
// after it.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread waiter_;
};

}  // namespace batchscope::cli
