#pragma once

#include <sched.h>
#include <sys/types.h>

#include <vector>

#include "batchscope/base/subprocess.hpp"
#include "launch.hpp"

namespace batchscope::base {

// Descriptors from here on are nobody's in a new program: 0 to 2 standard, 3 connection, 4 report.
inline constexpr int kReportFd = 4;
inline constexpr int kFirstFreeFd = 5;

enum class SetupStep { descriptors, cgroup, memory_limit, cpus, execute };

// What the child writes to the report pipe when it cannot become the program.
struct SetupFailure {
  SetupStep step;
  int code;  // errno
};

// Prepared before the fork, because the child may not allocate.
struct CpuMask {
  bool valid = true;
  std::vector<cpu_set_t> sets;  // one long mask; empty: leave it as it is
};
CpuMask make_cpu_mask(const std::vector<int>& cpus);

struct ChildSetup {
  const char* program;
  char* const* argv;
  char* const* envp;
  const ChildSpec& spec;
  LaunchFds fds;
  int report;
  int words;  // of a keeper (keeper.hpp); -1: the program has none
  pid_t parent;
  CpuMask cpus;
};

// The signal comes when `parent` ends; one that died before that took effect sends none, and this
// process ends. Async-signal-safe.
void die_with(pid_t parent, int signal);

// Closes every descriptor from there on; async-signal-safe.
void close_from(int first);

// Runs in the child between fork and exec: async-signal-safe calls only.
[[noreturn]] void become_program(const ChildSetup& setup);

}  // namespace batchscope::base
