#pragma once

#include <vector>

#include "activity/correlations.hpp"
#include "activity/device_activity.hpp"
#include "activity/name_classes.hpp"
#include "batchscope/attribution/attribution.hpp"
#include "steps.hpp"

namespace batchscope::attribution {

struct RecordedSpan {
  const trace::Trace& trace;
  const std::vector<NameClass>& classes;
  const Correlations& correlations;
  const ActivityByDevice& active;
};

// What of the recorded or named steps' time tells nothing of a usual step, in the order of time:
// steps that do not count are taken away, and one that such a time lies behind ends before it. At
// least one step is left.
std::vector<ExcludedInterval> exclude(const RecordedSpan& recorded, StepRanges& ranges);

}  // namespace batchscope::attribution
