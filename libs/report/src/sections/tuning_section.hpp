#pragma once

#include <vector>

#include "batchscope/findings/tuning.hpp"
#include "document/document.hpp"

namespace batchscope::report {

// What the searches among the runs came to: what to use, what fresh visits say of it, how much was
// measured, and what nothing measured beats in throughput and latency, and in throughput and
// memory. Empty without any.
Document tuning_section(const std::vector<findings::Tuning>& tunings);
// The tables of that alone.
Document tuning_fronts(const std::vector<findings::Tuning>& tunings);

}  // namespace batchscope::report
