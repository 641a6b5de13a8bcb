#pragma once

#include <string>
#include <vector>

#include "activity/name_classes.hpp"
#include "batchscope/attribution/attribution.hpp"

namespace batchscope::attribution {

struct StepRanges {
  std::vector<Step> steps;          // without times of devices
  std::vector<int64_t> range_ends;  // of each step: the end of its own range
  StepSource source = StepSource::none;
};

// The steps of a trace, in order and apart from each other: ranges of the host that begin with
// `prefix`; without one the recorder's, or what repeats on the device that did most.
StepRanges find_steps(const trace::Trace& trace, const std::vector<NameClass>& classes,
                      const std::string& prefix);

}  // namespace batchscope::attribution
