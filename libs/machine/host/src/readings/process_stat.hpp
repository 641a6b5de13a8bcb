#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace batchscope::host {

// What is used of /proc/PID/stat and /proc/PID/task/TID/stat, proc_pid_stat(5). Ticks are of
// tick_ns().
struct ProcessStat {
  std::string name;
  char state = '?';
  int64_t parent = 0;
  int64_t cpu_ticks = 0;  // user and system, of all threads, also those that ended
  int64_t threads = 0;
  int64_t start_ticks = 0;  // since boot: with the number it tells processes apart
  int64_t resident_bytes = 0;
  int64_t delay_ticks = 0;  // waiting for disks: of the one thread

  // It has ended, and its parent has not yet asked how.
  bool ended() const { return (state == 'Z' || state == 'X') && threads <= 1; }
};

// Absent for what is no such text. Names may hold parentheses, spaces and line breaks.
std::optional<ProcessStat> parse_process_stat(std::string_view text);

}  // namespace batchscope::host
