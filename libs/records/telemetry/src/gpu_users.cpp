#include "batchscope/telemetry/gpu_users.hpp"

#include <algorithm>

namespace batchscope::telemetry {
namespace {

bool are_on(const GpuReading& gpu, const Sample& sample) {
  return std::ranges::any_of(sample.processes, [&](const ProcessReading& process) {
    return std::ranges::any_of(gpu.processes,
                               [&](const GpuProcess& user) { return user.pid == process.pid; });
  });
}

}  // namespace

bool may_be_theirs(const GpuReading& gpu, const Sample& sample) {
  if (sample.processes.empty() || gpu.processes.empty() || are_on(gpu, sample)) return true;
  return std::ranges::all_of(gpu.processes, &GpuProcess::hidden) &&
         std::ranges::none_of(sample.gpus,
                              [&](const GpuReading& each) { return are_on(each, sample); });
}

}  // namespace batchscope::telemetry
