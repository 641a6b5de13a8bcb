#pragma once

#include <array>
#include <vector>

#include "activity/name_classes.hpp"
#include "batchscope/attribution/host_time.hpp"
#include "batchscope/attribution/spans.hpp"

namespace batchscope::attribution {

// What each of the trace's names decides; `other` of those that decide nothing.
std::vector<HostPart> host_parts_of(const trace::Trace& trace,
                                    const std::vector<NameClass>& classes);

// When a thread is at what: each moment is what the innermost decides. Apart from each other; none
// of `nothing`.
using PartSpans = std::array<Spans, kHostParts>;
PartSpans part_spans(const trace::Trace& trace, size_t track, const std::vector<NameClass>& classes,
                     const std::vector<HostPart>& parts);
// For how long in the window each part is open, whatever it calls.
HostParts inclusive_parts(const trace::Trace& trace, size_t track,
                          const std::vector<NameClass>& classes, const std::vector<HostPart>& parts,
                          const Spans& window);

}  // namespace batchscope::attribution
