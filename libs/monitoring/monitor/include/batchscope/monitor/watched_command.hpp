#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::monitor {

// A program that is started to be watched, and is otherwise left alone: it has this program's
// streams, its environment and its process group, so that Ctrl-C reaches it, and it lives on where
// this program dies.
class WatchedCommand {
 public:
  // Errors: failed (no such program, or it cannot be executed).
  static base::Result<WatchedCommand> start(const std::vector<std::string>& argv);

  WatchedCommand(WatchedCommand&&) noexcept;
  WatchedCommand& operator=(WatchedCommand&&) = delete;
  ~WatchedCommand();  // does not end it

  int pid() const;
  // Its exit code once it has ended, 128 + the signal that ended it, as shells say it.
  std::optional<int> exit_code();
  // Waits until then, at most until `deadline`, and no longer than until a stop is asked for.
  std::optional<int> wait_until(std::chrono::steady_clock::time_point deadline,
                                const std::stop_token& stop);
  void send(int signal);
  // Sends it what this program was sent, unless the whole process group was.
  void pass_on(int signal);

 private:
  struct State;
  explicit WatchedCommand(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Sleeps until `deadline`, or until a stop is asked for.
void wait_until(std::chrono::steady_clock::time_point deadline, const std::stop_token& stop);

}  // namespace batchscope::monitor
