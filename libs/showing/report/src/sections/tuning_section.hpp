#pragma once

#include <vector>

#include "batchscope/document/document.hpp"
#include "batchscope/findings/tuning.hpp"

namespace batchscope::report {

// What the searches among the runs came to: what to use, what fresh visits say of it, how much was
// measured, and what nothing measured beats in throughput and latency, and in throughput and
// memory. Empty without any.
document::Document tuning_section(const std::vector<findings::Tuning>& tunings);
// The tables of that alone.
document::Document tuning_fronts(const std::vector<findings::Tuning>& tunings);

}  // namespace batchscope::report
