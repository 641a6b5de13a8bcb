#include <fmt/format.h>

#include <algorithm>

#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/traceview/document.hpp"

namespace batchscope::traceview {
namespace {

using attribution::HostPart;
using attribution::HostTime;
using document::Cell;
using document::cell_of;
using document::TextTable;

constexpr size_t kThreadsShown = 16;

int64_t median_of(const HostTime& host, HostPart part) {
  std::vector<int64_t> times;
  for (const auto& step : host.steps) times.push_back(step.parts[part]);
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

// Over all threads.
int64_t inclusive_of(const HostTime& host, HostPart part) {
  int64_t sum = 0;
  for (const auto& thread : host.threads) sum += thread.inclusive[part];
  return sum;
}

}  // namespace

TextTable host_table(const advice::TraceSummary& summary) {
  TextTable table;
  if (!summary.host || summary.host->wall_ns() == 0) return table;
  const HostTime& host = *summary.host;
  table.columns = {{"the host", "", true}, {"time", "ms"}, {"share", ""}, {"with callees", "ms"}};
  if (!host.steps.empty()) table.columns.push_back({"per step", "ms, median"});
  for (size_t i = 0; i < attribution::kHostParts; ++i) {
    const auto part = static_cast<HostPart>(i);
    const int64_t inclusive = inclusive_of(host, part);
    if (host.parts[part] == 0 && inclusive == 0) continue;
    std::vector<Cell> row{cell_of(std::string(to_string(part))),
                          milliseconds_cell(host.parts[part]),
                          cell_of(findings::percent(host.parts.share(part))),
                          part == HostPart::nothing ? cell_of(std::string(findings::kAbsent))
                                                    : milliseconds_cell(inclusive)};
    if (!host.steps.empty()) row.push_back(milliseconds_cell(median_of(host, part)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable thread_table(const advice::TraceSummary& summary) {
  TextTable table;
  if (!summary.host || summary.host->threads.size() < 2) return table;
  table.columns = {{"thread", "", true}, {"busy", "ms"}};
  for (size_t i = 0; i + 1 < attribution::kHostParts; ++i) {
    table.columns.push_back({std::string(to_string(static_cast<HostPart>(i))), "ms"});
  }
  for (const auto& thread : summary.host->threads) {
    if (table.rows.size() == kThreadsShown) break;
    std::vector<Cell> row{
        cell_of(thread.name.empty() ? fmt::format("{}", thread.thread) : thread.name),
        milliseconds_cell(thread.busy_ns())};
    for (size_t i = 0; i + 1 < attribution::kHostParts; ++i) {
      row.push_back(milliseconds_cell(thread.own[static_cast<HostPart>(i)]));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace batchscope::traceview
