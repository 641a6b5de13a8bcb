#pragma once

#include <string>
#include <string_view>

#include "batchscope/attribution/attribution.hpp"
#include "batchscope/trace/trace.hpp"

namespace batchscope::attribution {

// The trace in Chrome's format, with a track more for each device: its time by parts, idle time
// named and coloured by its cause, the longest gaps with what the host did. For Perfetto
// (ui.perfetto.dev) and chrome://tracing. `attribution` is of that trace; `device_word`: "GPU".
std::string annotated_trace(const trace::Trace& trace, const Attribution& attribution,
                            std::string_view device_word);

}  // namespace batchscope::attribution
