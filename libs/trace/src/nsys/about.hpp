#pragma once

#include <cstdint>
#include <string>

#include "reading.hpp"

namespace batchscope::trace {

// "Nsight Systems 2026.2.1.210"; without a version where the export has none.
std::string recorder_of(Reading& reading);
// What is added to the times of the export for nanoseconds since 1970; 0: not known, or nothing.
int64_t base_time_of(Reading& reading);
// Names of threads, as labels.
void read_thread_names(Reading& reading);

}  // namespace batchscope::trace
