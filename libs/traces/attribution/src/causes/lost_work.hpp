#pragma once

#include <cstddef>
#include <vector>

#include "activity/correlations.hpp"
#include "activity/device_activity.hpp"
#include "activity/name_classes.hpp"
#include "batchscope/attribution/attribution.hpp"
#include "batchscope/trace/trace.hpp"

namespace batchscope::attribution {

// Idle time in which work of that launch may have run.
struct HiddenSpan {
  Span span;
  uint32_t launch = trace::kNone;
};

// Launches of which the trace holds no work: dropped, not recorded for graphs, or of after the end
// of the recording. A stream does its work in order, so what is missing ran after what its thread
// launched before and before what it launched next, on the stream of one of these.
struct LostWork {
  LostLaunches counts;
  std::vector<std::vector<HiddenSpan>> hidden;  // of each device: in order, apart from each other
};

LostWork lost_work(const trace::Trace& trace, const std::vector<NameClass>& classes,
                   const Correlations& correlations, const ActivityByDevice& active);

}  // namespace batchscope::attribution
