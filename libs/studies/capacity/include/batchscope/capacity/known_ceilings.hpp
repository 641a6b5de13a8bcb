#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "batchscope/capacity/oom_limits.hpp"
#include "batchscope/measure/session.hpp"

namespace batchscope::capacity {

// The memory that the workers of a run get on a device, bytes.
using Room = std::function<int64_t(const std::string& device)>;

// Takes out of a new job the sizes that ran out of memory in any run with as much room or more, and
// all above them, and notes in its header which. Errors: usage, when nothing is left.
base::Result<void> leave_out_known(const OomLimits& ceilings, const Room& room, measure::Job& job);

// Of what is to be measured nothing is known any more. Best effort: what cannot be written down is
// forgotten for this run.
void forget_known(const measure::Job& job, OomLimits& ceilings);

}  // namespace batchscope::capacity
