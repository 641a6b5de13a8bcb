#pragma once

#include <cstdint>
#include <vector>

#include "batchscope/attribution/attribution.hpp"
#include "batchscope/attribution/spans.hpp"
#include "batchscope/attribution/trace_index.hpp"

namespace batchscope::attribution {

// How long the thread that goes through the steps waits for samples or makes them, with all that
// this calls; without steps the thread that does so longest.
struct LoadingTimes {
  Span host;  // from the first thing that the host did to the end of the last
  int64_t all_ns = 0;
  std::vector<int64_t> in_steps;  // as `steps`
};

LoadingTimes loading_times(const TraceIndex& index, const std::vector<Step>& steps);

}  // namespace batchscope::attribution
