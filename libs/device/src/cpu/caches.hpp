#pragma once

#include <vector>

#include "batchscope/base/system_root.hpp"
#include "batchscope/device/topology.hpp"

namespace batchscope::device {

// The caches of `cpus` from /sys/devices/system/cpu/cpu*/cache, each instance counted once.
std::vector<Cache> read_caches(const base::SystemRoot& root, const CpuList& cpus);

}  // namespace batchscope::device
