#pragma once

#include <string>

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/report/text.hpp"

namespace batchscope::report {

// One trace for a reader at a terminal, the answer first, on one screen: where each device's time
// went, what would change it, the longest kernels. All there is: also steps, gaps, operators,
// memory. Names are untrusted, here and below.
std::string trace_text(const advice::TraceSummary& summary, const TextStyle& style = {});
std::string trace_markdown(const advice::TraceSummary& summary);
// A line for each device, and for each step of each device, with the parts in nanoseconds.
std::string trace_csv(const advice::TraceSummary& summary);

}  // namespace batchscope::report
