#include "cpu_time.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "text_fields.hpp"

namespace batchscope::device {
namespace {

// Columns of a cpu line, proc_stat(5). Guest time, which follows, is part of user and nice already.
enum Column { kUser, kNice, kSystem, kIdle, kIowait, kIrq, kSoftirq, kSteal, kColumns };

void add_line(const std::vector<std::string_view>& fields, CpuTime& sum) {
  std::array<int64_t, kColumns> ticks{};  // old kernels have fewer columns: the rest stays 0
  for (size_t i = 0; i < ticks.size() && i + 1 < fields.size(); ++i) {
    ticks[i] = parse_integer(fields[i + 1]).value_or(0);
  }
  const int64_t busy = ticks[kUser] + ticks[kNice] + ticks[kSystem] + ticks[kIrq] + ticks[kSoftirq];
  ++sum.cpus;
  sum.busy_ns += busy * tick_ns();
  sum.steal_ns += ticks[kSteal] * tick_ns();
  sum.total_ns += (busy + ticks[kIdle] + ticks[kIowait] + ticks[kSteal]) * tick_ns();
}

}  // namespace

int64_t tick_ns() {
  const long hertz = sysconf(_SC_CLK_TCK);
  return 1'000'000'000 / (hertz > 0 ? hertz : 100);
}

std::optional<CpuTime> parse_cpu_time(std::string_view proc_stat, const CpuList& watched) {
  CpuTime sum;
  while (proc_stat.starts_with("cpu")) {  // these lines come first; the rest is long
    const size_t end = proc_stat.find('\n');
    const auto fields = split_fields(proc_stat.substr(0, end));
    proc_stat.remove_prefix(end == std::string_view::npos ? proc_stat.size() : end + 1);
    const auto cpu = parse_integer(fields[0].substr(3));  // absent for the "cpu" sum line
    if (!cpu) continue;
    const bool wanted = watched.empty() ||
                        std::binary_search(watched.begin(), watched.end(), static_cast<int>(*cpu));
    if (wanted) add_line(fields, sum);
  }
  if (sum.cpus == 0) return std::nullopt;
  return sum;
}

}  // namespace batchscope::device
