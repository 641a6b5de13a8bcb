#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace batchscope::host {

// Numbers of logical CPUs as the kernel counts them, ascending and without duplicates.
using CpuList = std::vector<int>;

// The kernel's list format, "0-3,8" (Documentation/admin-guide/cputopology.rst). Text that is not
// one gives an empty list, as an empty file does: callers treat both as "the system does not say".
CpuList parse_cpu_list(std::string_view text);

// The inverse: {0,1,2,3,8} -> "0-3,8".
std::string format_cpu_list(const CpuList& cpus);

// The CPUs the calling thread may run on (sched_getaffinity); empty when the kernel refuses.
CpuList current_affinity();

}  // namespace batchscope::host
