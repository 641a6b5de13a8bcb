#pragma once

#include "batchscope/telemetry/sample.hpp"
#include "window.hpp"

namespace batchscope::watch {

// Puts a reading of a GPU that is up into its open bucket. True where an error happened.
bool take(const telemetry::GpuReading& reading, int64_t now_ns, GpuState& gpu);
// Of one that is down too. True where there is a new one.
bool note_xids(const telemetry::GpuReading& reading, int64_t now_ns, GpuState& gpu);

// Puts the processes that are watched into the open bucket: those that drive GPUs apart from their
// workers.
void take_processes(const telemetry::Sample& sample, Cells<JobValue>& values);

}  // namespace batchscope::watch
