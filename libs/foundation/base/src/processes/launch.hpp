#pragma once

#include <sys/types.h>

#include "batchscope/base/subprocess.hpp"
#include "batchscope/base/unique_fd.hpp"

namespace batchscope::base {

// What becomes descriptor 0 to 3 of a new program; every other descriptor is closed there.
struct LaunchFds {
  int standard_input;
  int standard_output;
  int standard_error;
  int connection;  // -1: none
};

// Forks and executes; returns when the program runs. Errors: as Child::spawn.
Result<pid_t> launch(const ChildSpec& spec, const LaunchFds& fds);

// The same with a keeper, that ends what the program leaves behind (keeper.hpp).
struct KeptProgram {
  pid_t keeper = -1;  // which ends after the program, and takes SIGTERM for it
  pid_t program = -1;
  UniqueFd words;  // its pipe, from which the number of the program has been read
};
Result<KeptProgram> launch_kept(const ChildSpec& spec, const LaunchFds& fds);

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};
// Both ends close on exec; `read_end` does not block.
Result<Pipe> make_pipe();

// The next of a keeper's words; false where there is none.
bool read_word(int fd, int& word);

// A descriptor that becomes readable when the process ends; none on kernels before 5.3.
UniqueFd open_pidfd(pid_t pid);

// SIGKILL to the process and its group.
void kill_group(pid_t pid);

// A `failed` error with the current errno.
Error system_error(std::string_view action);

}  // namespace batchscope::base
