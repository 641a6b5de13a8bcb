#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "batchscope/base/system_root.hpp"
#include "batchscope/telemetry/sample.hpp"
#include "readings/process_stat.hpp"

namespace batchscope::host {

// What a process had used when it was read last.
struct ProcessCounters {
  struct Thread {
    int64_t start_ticks = 0, cpu_ticks = 0, delay_ticks = 0;
  };

  int64_t start_ticks = 0, cpu_ticks = 0;
  std::optional<int64_t> read_bytes, written_bytes;
  std::map<int, Thread> threads;  // empty: they were not read
  double cpu_cores = 0;           // as the last reading had it
};

// What threads used between two readings; one that is new, all that it has used.
struct ThreadsUsed {
  int64_t busiest_ticks = 0, delay_ticks = 0;
};
ThreadsUsed used_between(const ProcessCounters& before, const ProcessCounters& now);

// The counters of a process that are not in its stat; those of `threads` by thread.
ProcessCounters read_counters(const base::SystemRoot& root, int pid, const ProcessStat& stat,
                              const std::vector<int>& threads);

// The levels, and with what was there before the rates. `counts_delays`: the kernel keeps account
// of the wait for disks.
telemetry::ProcessReading reading_of(int pid, const ProcessStat& stat, const ProcessCounters& now,
                                     const ProcessCounters* before, double seconds,
                                     bool counts_delays);

}  // namespace batchscope::host
