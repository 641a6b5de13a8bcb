#pragma once

#include <cstdint>
#include <optional>

#include "batchscope/base/system_root.hpp"
#include "batchscope/schema/visit.hpp"

namespace batchscope::host {

// Counts of getrusage(2), from the start of the process.
struct UsageCounts {
  int64_t user_ns = 0;
  int64_t system_ns = 0;
  int64_t minor_faults = 0;
  int64_t major_faults = 0;
  int64_t voluntary_switches = 0;
  int64_t involuntary_switches = 0;
  int64_t max_rss_bytes = 0;  // a peak, not a count; never falls, and is inherited over fork

  int64_t cpu_ns() const { return user_ns + system_ns; }
};

// Of the calling process, all its threads.
UsageCounts read_own_usage();
// Of its children that have ended and were waited for.
UsageCounts read_children_usage();

// What was used between two readings.
schema::Usage usage_between(const UsageCounts& before, const UsageCounts& after);

// The peak of the calling process's resident memory since its start, or since the last
// reset_peak_rss, in bytes (VmHWM of /proc/self/status).
std::optional<int64_t> read_peak_rss_bytes(const base::SystemRoot& root);
// Sets the peak back to the present value (writes 5 to /proc/self/clear_refs, Linux 4.0). False
// where that is not permitted; then the peak covers the whole life of the process. Walks no pages,
// so it costs about as much as any file write.
bool reset_peak_rss(const base::SystemRoot& root);

}  // namespace batchscope::host
