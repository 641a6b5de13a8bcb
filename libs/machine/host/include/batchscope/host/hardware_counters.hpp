#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "batchscope/base/system_root.hpp"

namespace batchscope::host {

// Counts what the processor did for all threads that this process has when it is made, in user
// space, through perf_event_open(2): cycles, ref_cycles, instructions, branch_misses, llc_misses,
// dtlb_misses, remote_loads. A counter that the machine has not is absent, never 0. Where there are
// more counters than the processor has registers, the kernel takes turns and the counts are scaled
// to the whole time.
class HardwareCounters {
 public:
  explicit HardwareCounters(const base::SystemRoot& root);
  ~HardwareCounters();
  HardwareCounters(const HardwareCounters&) = delete;
  HardwareCounters& operator=(const HardwareCounters&) = delete;

  void start();
  void stop();
  // By name; what is absent here is so for the reason that absent() gives.
  std::map<std::string, int64_t> counts() const;
  // Why counters have no count: by name, or once for all of them as "counters".
  std::map<std::string, std::string> absent() const;

 private:
  struct Open;
  std::unique_ptr<Open> open_;
};

}  // namespace batchscope::host
