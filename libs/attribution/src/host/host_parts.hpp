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

// When a thread is at what.
struct ThreadSpans {
  std::array<Spans, kHostParts> own;        // apart from each other; none of `nothing`
  std::array<Spans, kHostParts> inclusive;  // may overlap
};
ThreadSpans thread_spans(const trace::Trace& trace, size_t track,
                         const std::vector<NameClass>& classes, const std::vector<HostPart>& parts);

}  // namespace batchscope::attribution
