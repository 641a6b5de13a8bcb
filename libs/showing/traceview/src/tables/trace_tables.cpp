#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/capped_sum.hpp"
#include "batchscope/findings/metrics.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/traceview/document.hpp"

namespace batchscope::traceview {
namespace {

using advice::TraceSummary;
using attribution::Part;
using attribution::TimeParts;
using document::Cell;
using document::cell_of;
using document::Column;
using document::TextTable;
using document::Tone;

constexpr Part kShown[] = {Part::compute,      Part::memcpy,          Part::communication,
                           Part::data_loading, Part::synchronisation, Part::launch,
                           Part::host,         Part::device,          Part::unknown};

std::vector<Column> part_columns() {
  return {{"compute", ""},      {"copies", "exposed"},     {"comm.", "exposed"},
          {"idle for", "data"}, {"idle for", "sync"},      {"idle for", "launch"},
          {"idle for", "host"}, {"idle in", "the device"}, {"idle,", "unknown"}};
}

// A share of what is nothing is left empty: the eye finds what is there.
Cell share_cell(const TimeParts& parts, Part part) {
  if (parts[part] == 0) return {findings::kAbsent, "", Tone::dim};
  const double share = parts.share(part);
  const bool loses = part != Part::compute && share >= 0.10;
  return {findings::percent(share), "", loses ? Tone::bad : Tone::plain};
}

void add_parts(const TimeParts& parts, std::vector<Cell>& row) {
  row.push_back(milliseconds_cell(parts.wall_ns()));
  row.push_back(cell_of(findings::percent(parts.busy_share())));
  for (const Part part : kShown) row.push_back(share_cell(parts, part));
}

TextTable parts_table(const char* key) {
  TextTable table;
  table.columns = {{key, "", true}, {"time", "ms"}, {"busy", ""}};
  for (Column& column : part_columns()) table.columns.push_back(std::move(column));
  return table;
}

// Columns of parts that no row has are left out: the others then fit beside each other.
TextTable without_empty(TextTable table) {
  for (size_t column = table.columns.size(); column-- > 1;) {
    const bool empty = std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
      return row[column].value == findings::kAbsent;
    });
    if (!empty) continue;
    const auto at = static_cast<std::ptrdiff_t>(column);
    table.columns.erase(table.columns.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
  return table;
}

}  // namespace

Cell milliseconds_cell(int64_t ns) {
  return cell_of(findings::three_digits(static_cast<double>(ns) / 1e6));
}

std::string device_name(const TraceSummary& summary, int64_t device) {
  return fmt::format("{} {}", summary.device_word, device);
}

std::string name_for_a_reader(const std::string& name) {
  std::string_view text = name;
  if (text.starts_with("Mem")) return name;  // of copies the brackets say from where to where
  if (text.starts_with("void ")) text.remove_prefix(5);
  int depth = 0;
  size_t open = text.size();
  while (text.ends_with(')') && open > 0) {
    --open;
    depth += text[open] == ')' ? 1 : text[open] == '(' ? -1 : 0;
    if (depth == 0) break;
  }
  const bool has_list = depth == 0 && open > 0 && open < text.size();
  std::string label(has_list ? text.substr(0, open) : text);
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  for (size_t at = label.find(kAnonymous); at != std::string::npos; at = label.find(kAnonymous)) {
    label.erase(at, kAnonymous.size());
  }
  return label;
}

TextTable device_parts_table(const TraceSummary& summary) {
  TextTable table = parts_table("");
  for (const attribution::DeviceTime& device : summary.attribution.devices) {
    std::vector<Cell> row{cell_of(device_name(summary, device.id))};
    add_parts(device.parts, row);
    table.rows.push_back(std::move(row));
  }
  return without_empty(std::move(table));
}

TextTable step_table(const TraceSummary& summary) {
  TextTable table = parts_table("step");
  const bool several = summary.attribution.devices.size() > 1;
  for (const attribution::Step& step : summary.attribution.steps) {
    for (size_t i = 0; i < step.devices.size(); ++i) {
      const int64_t id = summary.attribution.devices[i].id;
      std::vector<Cell> row{
          cell_of(several ? fmt::format("{} on {}", step.number, device_name(summary, id))
                          : fmt::format("{}", step.number))};
      add_parts(step.devices[i], row);
      table.rows.push_back(std::move(row));
    }
  }
  return without_empty(std::move(table));
}

TextTable place_table(const TraceSummary& summary) {
  const bool several = summary.attribution.devices.size() > 1;
  TextTable table;
  table.columns = {{"idle for", "", true},
                   {"idle", "ms"},
                   {"share", "share of it"},
                   {"gaps", ""},
                   {"in", "", true}};
  for (const attribution::DeviceTime& device : summary.attribution.devices) {
    for (const attribution::IdleSite& place : device.places) {
      const auto all = static_cast<double>(device.parts[place.cause]);
      const double share = all > 0 ? static_cast<double>(place.ns) / all : 0;
      std::string cause = in_words(place.cause);
      if (place.holds_others) cause += ", with callees";
      if (several) cause += ", " + device_name(summary, device.id);
      std::string in = place.call.empty() ? "nothing recorded" : place.call;
      if (!place.inside.empty()) in += " in " + place.inside;
      if (!place.source.empty()) in += ", " + place.source;
      table.rows.push_back({cell_of(std::move(cause)), milliseconds_cell(place.ns),
                            cell_of(findings::percent(share)),
                            cell_of(fmt::format("{}", place.gaps)), cell_of(std::move(in))});
    }
  }
  return table;
}

TextTable gap_table(const TraceSummary& summary) {
  TextTable table;
  table.columns = {{"idle", "", true}, {"from", "ms"}, {"for", "ms"}, {"host activity", "", true}};
  for (const attribution::DeviceTime& device : summary.attribution.devices) {
    for (const attribution::Gap& gap : device.largest_gaps) {
      std::string did = gap.call.empty() ? gap.source : gap.call;
      if (!gap.inside.empty()) did += " in " + gap.inside;
      if (!gap.source.empty() && !gap.call.empty()) did += ", " + gap.source;
      if (did.empty()) did = "nothing recorded";
      did += fmt::format(" (thread {})", gap.thread);
      table.rows.push_back({cell_of(std::string(to_string(gap.cause))),
                            milliseconds_cell(gap.start_ns - device.start_ns),
                            milliseconds_cell(gap.end_ns - gap.start_ns), cell_of(std::move(did))});
    }
  }
  return table;
}

TextTable totals_table(const std::vector<attribution::Total>& totals, size_t most, size_t steps) {
  int64_t all = 0;
  for (const attribution::Total& total : totals) {
    all = base::capped_sum(all, total.self_ns);
  }
  TextTable table;
  table.columns = {{"", "", true}, {"time", "ms"}, {"share", ""}, {"calls", ""}, {"mean", "us"}};
  if (steps > 0) table.columns.push_back({"calls", "per step"});
  for (const attribution::Total& total : totals) {
    if (table.rows.size() == most) break;
    const double share =
        all > 0 ? static_cast<double>(total.self_ns) / static_cast<double>(all) : 0;
    std::vector<Cell> row{cell_of(name_for_a_reader(total.name)), milliseconds_cell(total.self_ns),
                          cell_of(findings::percent(share)),
                          cell_of(fmt::format("{}", total.calls)),
                          cell_of(findings::three_digits(total.mean_ns() / 1e3))};
    if (steps > 0) {
      row.push_back(cell_of(findings::three_digits(static_cast<double>(total.calls_in_steps) /
                                                   static_cast<double>(steps))));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable memory_table(const TraceSummary& summary) {
  TextTable table;
  table.columns = {{"memory", "", true},
                   {"peak", "MB"},
                   {"reserved", "MB"},
                   {"lowest", "MB"},
                   {"added per step", "MB"}};
  const auto megabytes = [](int64_t bytes) {
    return cell_of(findings::three_digits(static_cast<double>(bytes) / 1e6));
  };
  for (const attribution::DeviceMemory& memory : summary.memory) {
    const auto& rises = memory.rise_in_step;
    const bool has_steps = !rises.empty();
    table.rows.push_back(
        {cell_of(device_name(summary, memory.device) +
                 (memory.has_totals ? "" : ", from the start of the recording")),
         megabytes(memory.peak.allocated_bytes),
         memory.peak_reserved_bytes > 0 ? megabytes(memory.peak_reserved_bytes) : cell_of("–"),
         megabytes(memory.lowest_bytes),
         has_steps ? megabytes(*std::max_element(rises.begin(), rises.end())) : cell_of("–")});
  }
  return table;
}

}  // namespace batchscope::traceview
