#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "batchscope/base/system_root.hpp"
#include "batchscope/host/cpu_list.hpp"
#include "batchscope/schema/visit.hpp"

namespace batchscope::host {

// How long this process was kept from running although it had work, since its threads started.
struct ProcessorWaits {
  // Time in the run queue in ns, by thread id: the second field of /proc/self/task/*/schedstat
  // (Documentation/scheduler/sched-stats.rst). Absent where the kernel does not count it.
  std::optional<std::map<int, int64_t>> threads;
  // Of the processors asked for, since boot, in ns (/proc/stat): given by the hypervisor to others,
  // and all time that passed on them. Absent where the system does not say.
  std::optional<int64_t> steal_ns, total_ns;
};

// Of the calling process. `cpus`: whose steal to read; empty means all. Opens a file a thread,
// about ten microseconds each: keep it outside timed work.
ProcessorWaits read_processor_waits(const base::SystemRoot& root, const CpuList& cpus);

// Fills in wait_ns, wait_max_thread_ns and steal_ratio of what passed between two readings. A
// thread that began in between counts from its start; of one that ended nothing is known. What one
// of the readings lacks stays absent.
void put_waits(const ProcessorWaits& before, const ProcessorWaits& after, schema::Usage& usage);

}  // namespace batchscope::host
