#include "batchscope/host/cpu_time.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "batchscope/host/text_fields.hpp"

namespace batchscope::host {
namespace {

// Columns of a cpu line, proc_stat(5). Guest time, which follows, is part of user and nice already.
enum Column { kUser, kNice, kSystem, kIdle, kIowait, kIrq, kSoftirq, kSteal, kColumns };

CpuTime parse_line(const std::vector<std::string_view>& fields) {
  std::array<int64_t, kColumns> ticks{};  // old kernels have fewer columns: the rest stays 0
  for (size_t i = 0; i < ticks.size() && i + 1 < fields.size(); ++i) {
    ticks[i] = parse_integer(fields[i + 1]).value_or(0);
  }
  CpuTime time;
  time.cpus = 1;
  time.system_ns = (ticks[kSystem] + ticks[kIrq] + ticks[kSoftirq]) * tick_ns();
  time.busy_ns = (ticks[kUser] + ticks[kNice]) * tick_ns() + time.system_ns;
  time.iowait_ns = ticks[kIowait] * tick_ns();
  time.steal_ns = ticks[kSteal] * tick_ns();
  time.total_ns = time.busy_ns + ticks[kIdle] * tick_ns() + time.iowait_ns + time.steal_ns;
  return time;
}

void add(const CpuTime& one, CpuTime& sum) {
  sum.cpus += one.cpus;
  sum.total_ns += one.total_ns;
  sum.busy_ns += one.busy_ns;
  sum.system_ns += one.system_ns;
  sum.iowait_ns += one.iowait_ns;
  sum.steal_ns += one.steal_ns;
}

}  // namespace

int64_t tick_ns() {
  const long hertz = sysconf(_SC_CLK_TCK);
  return 1'000'000'000 / (hertz > 0 ? hertz : 100);
}

std::vector<CoreTime> parse_core_times(std::string_view proc_stat, const CpuList& watched) {
  std::vector<CoreTime> cores;
  while (proc_stat.starts_with("cpu")) {  // these lines come first; the rest is long
    const size_t end = proc_stat.find('\n');
    const auto fields = split_fields(proc_stat.substr(0, end));
    proc_stat.remove_prefix(end == std::string_view::npos ? proc_stat.size() : end + 1);
    const auto cpu = parse_integer(fields[0].substr(3));  // absent for the "cpu" sum line
    if (!cpu) continue;
    const int core = static_cast<int>(*cpu);
    const bool wanted = watched.empty() || std::binary_search(watched.begin(), watched.end(), core);
    if (wanted) cores.push_back({core, parse_line(fields)});
  }
  return cores;
}

std::optional<CpuTime> parse_cpu_time(std::string_view proc_stat, const CpuList& watched) {
  CpuTime sum;
  for (const CoreTime& core : parse_core_times(proc_stat, watched)) add(core.time, sum);
  if (sum.cpus == 0) return std::nullopt;
  return sum;
}

}  // namespace batchscope::host
