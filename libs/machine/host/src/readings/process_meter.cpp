#include "readings/process_meter.hpp"

#include <algorithm>

#include "batchscope/host/cpu_time.hpp"
#include "batchscope/host/text_fields.hpp"
#include "readings/rise.hpp"

namespace batchscope::host {
namespace {

std::optional<double> bytes_per_second(std::optional<int64_t> before, std::optional<int64_t> now,
                                       double seconds) {
  const auto bytes = before && now ? rise(*before, *now) : std::nullopt;
  if (!bytes) return std::nullopt;
  return static_cast<double>(*bytes) / seconds;
}

// CPU time, or another count of ticks, a wall time.
double per_wall(int64_t ticks, double seconds) {
  return static_cast<double>(ticks) * static_cast<double>(tick_ns()) * 1e-9 / seconds;
}

}  // namespace

ThreadsUsed used_between(const ProcessCounters& before, const ProcessCounters& now) {
  ThreadsUsed used;
  for (const auto& [number, thread] : now.threads) {
    const auto found = before.threads.find(number);
    const bool same =
        found != before.threads.end() && found->second.start_ticks == thread.start_ticks;
    const auto known = same ? found->second : ProcessCounters::Thread();
    used.busiest_ticks =
        std::max(used.busiest_ticks, rise(known.cpu_ticks, thread.cpu_ticks).value_or(0));
    used.delay_ticks += rise(known.delay_ticks, thread.delay_ticks).value_or(0);
  }
  return used;
}

ProcessCounters read_counters(const base::SystemRoot& root, int pid, const ProcessStat& stat,
                              const std::vector<int>& threads) {
  const std::string folder = "/proc/" + std::to_string(pid);
  ProcessCounters counters;
  counters.start_ticks = stat.start_ticks;
  counters.cpu_ticks = stat.cpu_ticks;
  const std::string io = root.read_trimmed(folder + "/io");  // of one's own processes, or for root
  counters.read_bytes = find_number(io, "read_bytes");
  counters.written_bytes = find_number(io, "write_bytes");
  for (const int thread : threads) {
    const auto text = root.read(folder + "/task/" + std::to_string(thread) + "/stat");
    const auto one = text ? parse_process_stat(*text) : std::nullopt;
    if (one) counters.threads[thread] = {one->start_ticks, one->cpu_ticks, one->delay_ticks};
  }
  return counters;
}

telemetry::ProcessReading reading_of(int pid, const ProcessStat& stat, const ProcessCounters& now,
                                     const ProcessCounters* before, double seconds,
                                     bool counts_delays) {
  telemetry::ProcessReading reading;
  reading.pid = pid;
  reading.parent = stat.parent;
  reading.name = stat.name;
  reading.threads = stat.threads;
  reading.resident_bytes = stat.resident_bytes;
  if (before == nullptr || seconds <= 0) return reading;
  if (const auto ticks = rise(before->cpu_ticks, now.cpu_ticks)) {
    reading.cpu_cores = per_wall(*ticks, seconds);
  }
  reading.read_bytes_per_second = bytes_per_second(before->read_bytes, now.read_bytes, seconds);
  reading.write_bytes_per_second =
      bytes_per_second(before->written_bytes, now.written_bytes, seconds);
  if (before->threads.empty() || now.threads.empty()) return reading;
  const ThreadsUsed used = used_between(*before, now);
  // Ticks are counted whole, so that a busy thread can seem to use more than there was.
  reading.busiest_thread_ratio = std::min(per_wall(used.busiest_ticks, seconds), 1.0);
  if (counts_delays) reading.io_wait_ratio = per_wall(used.delay_ticks, seconds);
  return reading;
}

}  // namespace batchscope::host
