#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/units.hpp"
#include "screen/sections.hpp"
#include "text/columns.hpp"
#include "text/quantities.hpp"

namespace batchscope::monitor_report {
namespace {

using telemetry::ProcessReading;

std::vector<Column> process_columns(const std::vector<ProcessReading>& processes) {
  const auto any = [&processes](auto known) {
    return std::any_of(processes.begin(), processes.end(), known);
  };
  const bool gpu =
      any([](const ProcessReading& process) { return process.gpu_memory_bytes.has_value(); });
  const bool waits =
      any([](const ProcessReading& process) { return process.io_wait_ratio.has_value(); });
  return {{"PID", 7, 0, 0},
          {"CPUs", 5, 0, 0},
          {"thread", 6, 0, 4},
          {"memory", 8, 0, 2},
          {"on GPUs", 8, 0, 3, false, gpu},
          {"I/O wait", 8, 0, 5, false, waits},
          {"read", 10, 0, 6},
          {"written", 10, 0, 7},
          {"program", 14, 60, 1, true}};
}

template <class Value, class Words>
Cell cell_of(const std::optional<Value>& value, const Words& words) {
  return value ? Cell{words(*value)} : Cell{"-", Tone::faint};
}

std::vector<Cell> process_cells(const ProcessReading& process) {
  return {{std::to_string(process.pid)},
          cell_of(process.cpu_cores, [](double cores) { return fmt::format("{:.2f}", cores); }),
          cell_of(process.busiest_thread_ratio, percent_of),
          cell_of(process.resident_bytes, base::format_bytes),
          cell_of(process.gpu_memory_bytes, base::format_bytes),
          cell_of(process.io_wait_ratio, percent_of),
          cell_of(process.read_bytes_per_second, bytes_per_second),
          cell_of(process.write_bytes_per_second, bytes_per_second),
          {process.name}};
}

std::vector<const ProcessReading*> busiest_first(const std::vector<ProcessReading>& processes) {
  std::vector<const ProcessReading*> sorted;
  for (const ProcessReading& process : processes) sorted.push_back(&process);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return a->cpu_cores.value_or(0) > b->cpu_cores.value_or(0);
  });
  return sorted;
}

}  // namespace

Lines process_lines(const View& view, const Canvas& canvas, std::size_t most) {
  Lines lines;
  const std::vector<ProcessReading>& processes = view.sample.processes;
  if (processes.empty() || most < 2) return lines;
  const std::vector<Column> columns = process_columns(processes);
  const std::vector<std::size_t> widths = widths_of(columns, canvas.columns);
  const auto add = [&](const std::vector<Cell>& cells) {
    ScreenLine line = canvas.line();
    add_cells(line, columns, widths, cells);
    lines.push_back(line.text());
  };
  std::vector<Cell> titles;
  for (const Column& column : columns) titles.push_back({column.title, Tone::faint});
  add(titles);
  for (const ProcessReading* process : busiest_first(processes)) {
    if (lines.size() < most) add(process_cells(*process));
  }
  return lines;
}

}  // namespace batchscope::monitor_report
