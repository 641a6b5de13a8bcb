#pragma once

#include "batchscope/telemetry/sample.hpp"
#include "window.hpp"

namespace batchscope::watch {

// Puts the processes that are watched into the open bucket: those that drive GPUs apart from their
// workers.
void take_processes(const telemetry::Sample& sample, Cells<JobValue>& values);

}  // namespace batchscope::watch
