#include "batchscope/host/oom_kills.hpp"

#include "batchscope/host/cgroup.hpp"
#include "batchscope/host/text_fields.hpp"

namespace batchscope::host {

OomKills read_oom_kills(const base::SystemRoot& root) {
  OomKills kills;
  kills.boot_id = root.read_trimmed("/proc/sys/kernel/random/boot_id");
  const CgroupDir memory = find_cgroups(root).memory;
  if (memory.version == CgroupVersion::v2) {
    kills.count = find_number(root.read_trimmed(memory.group / "memory.events"), "oom_kill");
  }
  if (!kills.count) {
    kills.count = find_number(root.read_trimmed("/proc/vmstat"), "oom_kill");
    kills.machine_wide = kills.count.has_value();
  }
  return kills;
}

bool killed_between(const OomKills& before, const OomKills& now) {
  const bool both_known = !before.boot_id.empty() && !now.boot_id.empty();
  if (both_known && before.boot_id != now.boot_id) return true;
  return before.count && now.count && *now.count > *before.count;
}

}  // namespace batchscope::host
