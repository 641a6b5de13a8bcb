#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "batchscope/base/system_root.hpp"

namespace batchscope::host {

// What tells afterwards whether the kernel killed for memory in the meantime: it counts up, and
// begins anew with each boot.
struct OomKills {
  std::string boot_id;           // /proc/sys/kernel/random/boot_id; empty where it cannot be read
  std::optional<int64_t> count;  // absent before Linux 4.13
  bool machine_wide = false;     // the count holds everybody's
};

// The kills in this process's own cgroup and below it (v2 memory.events, which counts those of
// groups that are gone), or of the whole machine where no such count is kept (/proc/vmstat).
OomKills read_oom_kills(const base::SystemRoot& root);

// Between two readings a process was killed for memory, or the machine was started anew, which
// running out of memory may have been the reason for. False where the system does not say.
bool killed_between(const OomKills& before, const OomKills& now);

}  // namespace batchscope::host
