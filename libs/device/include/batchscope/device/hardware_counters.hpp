#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "batchscope/base/system_root.hpp"

namespace batchscope::device {

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
  // By name; empty when none could be opened, for the reason refusal() gives.
  std::map<std::string, int64_t> counts() const;
  const std::string& refusal() const { return refusal_; }

 private:
  struct Open;
  std::unique_ptr<Open> open_;
  std::string refusal_;
};

}  // namespace batchscope::device
