#pragma once

#include <sys/types.h>

#include "batchscope/base/subprocess.hpp"

namespace batchscope::base {

// Whether the process has ended; it stays to be reaped, so its number cannot be another's yet.
bool has_ended(pid_t pid);

// Whether a debugger holds it, so that no signal but SIGKILL reaches it.
bool is_traced(pid_t pid);

// Waits until the process has ended, without reaping it; `pidfd` may be none. False when the
// deadline passed first.
bool await_end(pid_t pid, int pidfd, Deadline deadline);

// Collects an ended process; kills first what is left of its group. Fills everything but `wall`.
Result<ChildExit> reap(pid_t pid);

// Sets exit code and signal by a status, as wait(2) has it.
void set_end(int status, ChildExit& exit);

// How often to look for the end of a process on kernels that cannot report it (before 5.3).
inline constexpr int kFallbackPollMs = 20;

// Milliseconds from now to the deadline for poll(), at least 0, capped at an hour.
int poll_timeout(Deadline deadline);

}  // namespace batchscope::base
