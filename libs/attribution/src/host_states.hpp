#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "batchscope/trace/trace.hpp"
#include "correlations.hpp"
#include "name_classes.hpp"

namespace batchscope::attribution {

// What a thread of the host does, as far as it explains that a device idles.
enum class HostState : uint8_t {
  nothing,   // nothing that was recorded, or only Python
  loads,     // waits for samples, or makes them
  waits,     // a call that returns once the device got somewhere
  launches,  // an operator that starts something on a device, or the call that does
  works,     // an operator that starts nothing
};

struct HostStretch {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  HostState state = HostState::nothing;
  uint32_t row = trace::kNone;  // of waits: the call
  bool operator==(const HostStretch&) const = default;
};

// The calls that copy from or to memory that is not pinned: they return once the copy is on its
// way, so they wait for what runs before it. Rows of the trace.
std::unordered_set<uint32_t> pageable_copies(const trace::Trace& trace,
                                             const Correlations& correlations);

// The states of one track of the host, in order, apart from each other; what lies between is
// `nothing`. Where activities nest, loading goes before all, then waiting, then operators.
std::vector<HostStretch> host_states(const trace::Trace& trace, size_t track,
                                     const std::vector<NameClass>& classes,
                                     const std::unordered_set<uint32_t>& pageable_copies);

}  // namespace batchscope::attribution
