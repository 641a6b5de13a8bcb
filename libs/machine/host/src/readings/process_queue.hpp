#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "batchscope/base/system_root.hpp"
#include "readings/process_meter.hpp"

namespace batchscope::host {

using KnownProcesses = std::map<int, ProcessCounters>;

// A process to look at, and when it began where that is known: another one may have its number now.
struct ProcessCandidate {
  int pid = 0;
  std::optional<int64_t> start_ticks;
};

// What is kept from one reading to the next.
struct WatchedProcesses {
  WatchedProcesses(base::SystemRoot from, int pid)
      : root(std::move(from)), named{pid, std::nullopt} {}

  base::SystemRoot root;
  ProcessCandidate named;
  KnownProcesses known;
  std::optional<int64_t> before_ns;
  int64_t passes = 0;
  bool delay_seen = false;  // some thread has waited for disks
};

// In which order processes are looked at, so that what is cut off is what was idle.
class ProcessQueue {
 public:
  ProcessQueue(ProcessCandidate named, const KnownProcesses& known);

  std::optional<ProcessCandidate> next();
  void add_new(int pid) { first_.push_back({pid, std::nullopt}); }

 private:
  std::deque<ProcessCandidate> first_, idle_;
};

}  // namespace batchscope::host
