#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/base/units.hpp"

namespace batchscope::base {

// Where a child finds its end of the connection to the parent; see LineChannel.
inline constexpr int kChildSocket = 3;

using Deadline = std::chrono::steady_clock::time_point;

// The program `name` as PATH finds it; a name with a '/' is taken as it is.
// Errors: failed, when there is no such program that may be executed.
Result<std::filesystem::path> find_program(std::string_view name);

struct ChildSpec {
  std::vector<std::string> argv;                   // argv[0] is looked up in PATH
  std::map<std::string, std::string> environment;  // added to the parent's
  std::optional<int64_t> data_limit_bytes;         // RLIMIT_DATA
  std::string cgroup_procs_path;  // when set, the child enters this cgroup before it executes
  std::vector<int> cpus;          // may run on these only; empty: as the parent
};

struct ChildExit {
  int exit_code = -1;   // -1 when a signal ended it
  int signal = 0;       // 0 when it exited by itself
  Nanoseconds wall{0};  // spawn to end
  Nanoseconds user{0};  // CPU time, with that of its own children that it waited for
  Nanoseconds system{0};
  int64_t max_rss_bytes = 0;  // never below the parent's at the time of the spawn (Linux)
  int64_t minor_faults = 0;
  int64_t major_faults = 0;
  // What ended the process that ends those, where somebody else did; they may be left then.
  int keeper_signal = 0;
  int left_behind = 0;  // processes that it had started and detached, and that were ended after it
};

// A process in a group of its own, so that Ctrl-C at the terminal reaches the parent only,
// connected by a socket that carries lines. It dies with the thread that spawned it, and is killed
// with its whole group; all processes that it leaves behind end with it, detached ones too. It
// reads nothing from standard input; both its outputs are caught, and the last 16 KiB of them kept.
// Not for use by several threads at once.
class Child {
 public:
  // Returns when the program runs. Errors: failed (not found, cannot be executed, or a limit,
  // cgroup or CPU set that cannot be applied).
  static Result<Child> spawn(const ChildSpec& spec);

  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();  // kills what still runs

  // Adds '\n'. Errors: failed (the child does not listen any more, or `deadline` passed).
  Result<void> send_line(std::string_view line, Deadline deadline);
  // The next line, without '\n'; nothing when the child closed the connection or ended (a last line
  // without '\n' is dropped: it is half a message). Errors: failed, when `deadline` passed; then
  // timed_out() is true and the child still runs.
  Result<std::optional<std::string>> receive_line(Deadline deadline);
  // The deadline of the latest call passed.
  bool timed_out() const;

  // SIGKILL to the whole group; wait() still has to be called for the result.
  void kill();
  // Waits for the end; kills the group when `deadline` passes first. A second call returns the
  // same.
  Result<ChildExit> wait(Deadline deadline);

  // The last 16 KiB of what the child wrote to its standard error and output.
  const std::string& output_tail() const;
  int pid() const;

 private:
  struct State;
  explicit Child(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct CommandResult {
  int exit_code = -1;  // -1 when a signal ended it
  int signal = 0;
  std::string standard_output;
  std::string standard_error;
};

// Runs a program to its end, for programs that are called once and answer at once. Errors: failed
// (cannot be started, still runs after `timeout`, or printed more than 64 MiB). An exit code other
// than 0 is not an error here.
Result<CommandResult> run_command(const std::vector<std::string>& argv,
                                  std::string_view standard_input, Nanoseconds timeout);

// Whether a process of this number is there, whoever owns it, as far as can be seen from this name
// space of processes. One that has ended and was not waited for is.
bool process_exists(int64_t pid);

// "SIGKILL"; "signal 40" of one that has no name.
std::string signal_name(int signal);

}  // namespace batchscope::base
