#pragma once

#include <string>
#include <vector>

#include "batchscope/advice/trace_summary.hpp"

namespace batchscope::advice {

// What differs between two recordings beside the program: devices, versions of what runs it, the
// number of ranks, the recorder, what of the work was not recorded. Words for a reader: "Tesla V100
// before, NVIDIA H100 after".
std::vector<std::string> recording_differences(const std::vector<TraceSummary>& before,
                                               const std::vector<TraceSummary>& after);

// Whether time of that part would be seen on both sides alike, so that what is absent is gone.
bool is_recorded_alike(const TraceSummary& before, const TraceSummary& after,
                       attribution::Part part);

}  // namespace batchscope::advice
