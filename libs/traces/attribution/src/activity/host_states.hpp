#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "batchscope/attribution/attribution.hpp"
#include "batchscope/trace/trace.hpp"
#include "correlations.hpp"
#include "name_classes.hpp"

namespace batchscope::attribution {

// An operator that starts nothing is part of what launching costs, unless it is longer.
inline constexpr int64_t kLongHostWork = 100'000;
// Operators that start nothing, one after the other.
inline constexpr int64_t kLongHostRun = 300'000;

// What a thread of the host does, as far as it explains that a device idles.
enum class HostState : uint8_t {
  nothing,   // nothing that was recorded, or only Python
  loads,     // waits for samples, or makes them
  waits,     // a call that returns once the device got somewhere
  launches,  // an operator that starts something on a device, or the call that does
  works,     // an operator that starts nothing
};

struct HostSpan {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  HostState state = HostState::nothing;
  uint32_t row = trace::kNone;  // what it lies in; none where several work after one another
  bool operator==(const HostSpan&) const = default;
};

// The calls that copy from or to memory that is not pinned: they return once the copy is on its
// way, so they wait for what runs before it. Rows of the trace.
std::unordered_set<uint32_t> pageable_copies(const trace::Trace& trace,
                                             const Correlations& correlations);

// What lies between two operators is Python, and part of what launching costs too, unless it is
// this long: three times what is usual for the thread between two that launch, from kLongHostWork
// to kLongHostRun. Where only the runtime's calls are recorded, usual is more.
int64_t long_pause_ns(const std::vector<HostSpan>& states);

// The states of one track of the host, in order, apart from each other; what lies between is
// `nothing`. Where activities nest, loading goes before all, then waiting, then operators.
std::vector<HostSpan> host_states(const trace::Trace& trace, size_t track,
                                  const std::vector<NameClass>& classes,
                                  const std::unordered_set<uint32_t>& pageable_copies);

}  // namespace batchscope::attribution
