#pragma once

#include <sys/types.h>

namespace batchscope::monitor {

// Tells a signal that was sent to this program alone from one that its whole process group got, as
// shells, notebooks and job schedulers send it: a process that does nothing but wait for signals is
// in that group as well. Ends with the thread that made it, at the latest.
class SignalObserver {
 public:
  SignalObserver();
  SignalObserver(const SignalObserver&) = delete;
  SignalObserver& operator=(const SignalObserver&) = delete;
  ~SignalObserver();

  // Whether the group got that signal, which this program just got. Waits for a moment.
  bool saw(int signal);

 private:
  pid_t pid_ = -1;
  int reported_ = -1;  // a byte for each signal
};

}  // namespace batchscope::monitor
