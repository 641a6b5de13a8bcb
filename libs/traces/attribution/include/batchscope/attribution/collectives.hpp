#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/attribution/attribution.hpp"
#include "batchscope/attribution/trace_index.hpp"

namespace batchscope::attribution {

// One kernel that talks to other devices.
struct Collective {
  std::string name;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t device = 0;
  int64_t exposed_ns =
      0;  // while nothing else ran there; of several at once it counts for the first
  // Of those that talk, as the recorder names it, the same on all of them; empty: not said.
  std::string group;
};

// In the order of their start. `devices`: of that trace, with their pieces.
std::vector<Collective> collectives(const TraceIndex& index,
                                    const std::vector<DeviceTime>& devices);

}  // namespace batchscope::attribution
