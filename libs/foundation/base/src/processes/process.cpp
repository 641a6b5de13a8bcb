#include <fmt/format.h>
#include <sys/types.h>

#include <cerrno>
#include <csignal>

#include "batchscope/base/subprocess.hpp"

namespace batchscope::base {

// No signal is sent. Whoever may not send one is told that, and not that there is none.
bool process_exists(int64_t pid) {
  return ::kill(static_cast<pid_t>(pid), 0) == 0 || errno != ESRCH;
}

std::string signal_name(int signal) {
  const char* const abbreviation = sigabbrev_np(signal);
  return abbreviation != nullptr ? fmt::format("SIG{}", abbreviation)
                                 : fmt::format("signal {}", signal);
}

}  // namespace batchscope::base
