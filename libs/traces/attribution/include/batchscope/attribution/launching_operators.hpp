#pragma once

#include <cstdint>
#include <vector>

#include "batchscope/attribution/trace_index.hpp"

namespace batchscope::attribution {

// For each row of what a device did, the row of the innermost operator of known input types that
// its launch lies in; kNone where there is none, and for rows of the host.
std::vector<uint32_t> launching_operators(const TraceIndex& index);

}  // namespace batchscope::attribution
