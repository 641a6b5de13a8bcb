#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/attribution/trace_index.hpp"

namespace batchscope::attribution {

// One kernel that talks to other devices.
struct Collective {
  std::string name;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
};

// In the order of their start.
std::vector<Collective> collectives(const TraceIndex& index);

}  // namespace batchscope::attribution
