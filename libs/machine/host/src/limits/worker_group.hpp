#pragma once

#include <cstdint>
#include <filesystem>

#include "batchscope/base/result.hpp"
#include "batchscope/host/cgroup.hpp"
#include "cgroup_files.hpp"

namespace batchscope::host {

struct WorkerGroup {
  std::filesystem::path path;
  int64_t limit_bytes = 0;  // as the kernel took it
};

// Makes a group that holds at most `bytes` of memory. Leaves nothing behind when it fails; the
// error says what was refused.
base::Result<WorkerGroup> make_worker_group(CgroupFiles& files, const CgroupDir& memory,
                                            int64_t bytes);

// Removes what killed runs left where make_worker_group makes groups.
void remove_orphaned_groups(CgroupFiles& files, const CgroupDir& memory);

}  // namespace batchscope::host
