#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "batchscope/base/system_root.hpp"

namespace batchscope::host {

// CPU time of every thread of this process since it started, in ns, by thread id. Exact to the
// moment of the call, unlike /proc/self/task/*/stat, which counts in ticks.
using ThreadTimes = std::map<int, int64_t>;
ThreadTimes read_thread_times(const base::SystemRoot& root);

// What each thread used between two readings, the largest first. Threads that used nothing are left
// out, and so are those that ended in between.
std::vector<int64_t> busy_between(const ThreadTimes& before, const ThreadTimes& after);

// Anonymous memory of this process, and the part of it in transparent huge pages, in bytes
// (/proc/self/smaps_rollup, Linux 4.14). Absent where the kernel does not say.
struct HugePages {
  int64_t anonymous_bytes = 0;
  int64_t huge_bytes = 0;
};
std::optional<HugePages> read_huge_pages(const base::SystemRoot& root);

}  // namespace batchscope::host
