#include <algorithm>
#include <unordered_set>
#include <vector>

#include "readings.hpp"

namespace batchscope::watch {
namespace {

using telemetry::ProcessReading;
using Pids = std::unordered_set<int64_t>;

// A process that does less only waits, as launchers do.
constexpr double kDoesSomething = 0.05;
constexpr double kLaunches = 0.02;

Pids on_gpus(const telemetry::Sample& sample) {
  Pids pids;
  for (const telemetry::GpuReading& gpu : sample.gpus) {
    for (const telemetry::GpuProcess& process : gpu.processes) pids.insert(process.pid);
  }
  for (const ProcessReading& process : sample.processes) {
    if (process.gpu_memory_bytes.value_or(0) > 0) pids.insert(process.pid);
  }
  return pids;
}

// Where nobody says which processes are on GPUs: the roots, or their children where a root only
// launches them.
Pids roots_of(const std::vector<ProcessReading>& processes) {
  Pids pids, parents, roots;
  for (const ProcessReading& process : processes) {
    pids.insert(process.pid);
    parents.insert(process.parent);
  }
  for (const ProcessReading& process : processes) {
    const bool launches =
        parents.contains(process.pid) && process.cpu_cores.value_or(1) < kLaunches;
    if (!pids.contains(process.parent) && !launches) roots.insert(process.pid);
  }
  if (!roots.empty()) return roots;
  for (const ProcessReading& process : processes) {
    if (pids.contains(process.parent)) roots.insert(process.pid);
  }
  return roots;
}

Pids drivers_of(const telemetry::Sample& sample) {
  const Pids users = on_gpus(sample);
  Pids drivers;
  for (const ProcessReading& process : sample.processes) {
    if (users.contains(process.pid)) drivers.insert(process.pid);
  }
  return drivers.empty() ? roots_of(sample.processes) : drivers;
}

}  // namespace

void take_processes(const telemetry::Sample& sample, Cells<JobValue>& values) {
  if (sample.processes.empty()) return;
  const Pids drivers = drivers_of(sample);
  Cell threads, workers, waits, cores, reads, writes;
  for (const ProcessReading& process : sample.processes) {
    cores.add(process.cpu_cores);
    waits.add(process.io_wait_ratio);
    reads.add(process.read_bytes_per_second);
    writes.add(process.write_bytes_per_second);
    if (drivers.contains(process.pid)) {
      threads.add(process.busiest_thread_ratio);
    } else if (process.cpu_cores.value_or(0) >= kDoesSomething) {
      workers.add(std::min(1.0, *process.cpu_cores));
    }
  }
  if (threads.known()) values[JobValue::busiest_thread].add(threads.high);
  if (waits.known()) values[JobValue::io_wait].add(waits.high);
  if (reads.known()) values[JobValue::reads].add(reads.sum);
  if (writes.known()) values[JobValue::writes].add(writes.sum);
  if (!cores.known()) return;
  values[JobValue::cores].add(cores.sum);
  values[JobValue::worker_cpu].add(workers.mean());
  values[JobValue::workers].add(static_cast<double>(workers.count));
}

}  // namespace batchscope::watch
