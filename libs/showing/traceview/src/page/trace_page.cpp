#include <fmt/format.h>

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/charts/time_line.hpp"
#include "batchscope/document/finding_parts.hpp"
#include "batchscope/document/html.hpp"
#include "batchscope/document/page_frame.hpp"
#include "batchscope/document/web_bundle.hpp"
#include "batchscope/traceview/document.hpp"
#include "batchscope/traceview/trace.hpp"
#include "full_page.hpp"
#include "part_styles.hpp"
#include "time_picture.hpp"
#include "timeline_data.hpp"
#include "trace_cards.hpp"

namespace batchscope::traceview {
namespace {

using advice::TraceSummary;
using attribution::DeviceTime;
using attribution::TimeParts;
using document::Column;
using document::data_element;
using document::DrawnColumn;
using document::explanations;
using document::html_text;
using document::KeyValue;
using document::KeyValues;
using document::no_page;
using document::PagePart;
using document::render_html;
using document::table_html;
using document::TextTable;
using document::trace_bundle;
using document::WebBundle;

constexpr int kBar = 22, kThinBar = 14;
constexpr size_t kMostNames = 51;  // of a summary's, with the others in one

TimeParts all_parts(const TraceSummary& summary) {
  TimeParts all;
  for (const DeviceTime& device : summary.attribution.devices) all += device.parts;
  return all;
}

std::string devices_part(const TraceSummary& summary) {
  std::string html;
  for (const DeviceTime& device : summary.attribution.devices) {
    html += fmt::format("<figure class=\"device\"><figcaption>{}</figcaption>{}</figure>\n",
                        html_text(device_label(summary, device.id)), part_bar(device.parts, kBar));
  }
  if (html.empty()) {
    const TextTable host = host_table(summary);
    return host.rows.empty() ? "" : table_html(host, {}, "times");
  }
  return html + part_legend(all_parts(summary)) +
         table_html(device_parts_table(summary), {}, "times");
}

std::string timeline_part(const TraceSummary& summary) {
  const std::string picture = time_picture(summary);
  if (picture.empty()) return "";
  return "<figure class=\"chart timeline\" id=\"timeline-figure\"><div class=\"scroll picture\" "
         "tabindex=\"0\">" +
         picture +
         "<p class=\"note\">This viewer runs no scripts. Open the page in a browser to "
         "zoom.</p></div></figure>\n";
}

std::string places_part(const TraceSummary& summary) {
  TextTable table = place_table(summary);
  return table.rows.empty() ? "" : table_html(table, {}, "sortable");
}

std::string gaps_part(const TraceSummary& summary) {
  TextTable table = gap_table(summary);
  if (table.rows.empty()) return "";
  // In the words of the timeline and by its times, and of several devices with their own.
  const auto& devices = summary.attribution.devices;
  const TimeWindow window = window_of(summary);
  auto row = table.rows.begin();
  for (const DeviceTime& device : devices) {
    for (const attribution::Gap& gap : device.largest_gaps) {
      std::string& cause = row->front().value;
      cause = look_of(gap.cause).short_name();
      if (devices.size() > 1) cause += ", " + device_name(summary, device.id);
      if (!window.empty()) (*row)[1] = milliseconds_cell(gap.start_ns - window.start_ns);
      ++row;
    }
  }
  table.columns.front().title = "idle for";
  return table_html(table, {}, "gaps");
}

std::string steps_part(const TraceSummary& summary) {
  TextTable table = step_table(summary);
  if (table.rows.empty()) return "";
  const auto& steps = summary.attribution.steps;
  DrawnColumn bars{"by part", {}};
  for (const attribution::Step& step : steps) {
    if (bars.cells.size() >= kMostSteps) break;
    for (const TimeParts& parts : step.devices) bars.cells.push_back(part_bar(parts, kThinBar));
  }
  const size_t rows = table.rows.size();
  table.rows.resize(std::min(rows, bars.cells.size()));
  std::string html = table_html(table, bars, "times steps");
  if (table.rows.size() < rows) {
    html += fmt::format("<p class=\"dim\">The first {} of {}; the CSV has all.</p>\n",
                        table.rows.size(), base::counted(rows, "row"));
  }
  return html;
}

std::string names_part(const std::vector<attribution::Total>& totals, const TraceSummary& summary) {
  TextTable table = totals_table(totals, kMostNames, summary.attribution.steps.size());
  if (table.rows.empty()) return "";
  for (Column& column : table.columns) {
    if (column.second == "us") column.second = "µs";
  }
  table.columns.front().title = "name";
  return table_html(table, {}, "sortable");
}

std::string memory_part(const TraceSummary& summary) {
  TextTable table = memory_table(summary);
  return table.rows.empty() ? "" : render_html({std::move(table)});
}

std::string yes_if(bool cut) {
  return cut ? "early: the rest is missing" : "complete";
}

// What is to be known before the figures are believed.
std::vector<KeyValue> reading_fields(const TraceSummary& summary) {
  const trace::ReadSummary& read = summary.read;
  const size_t steps = summary.attribution.steps.size();
  std::vector<KeyValue> fields{
      {"file", summary.source},
      {"written by", read.profiler},
      {"size", fmt::format("{} bytes, uncompressed", read.bytes)},
      {"events", fmt::format("{}; {} more are not activities (flows, names, counters)", read.events,
                             read.passed_over)},
      {"unreadable", fmt::format("{}", read.skipped)},
      {"ends", yes_if(read.truncated)},
      {"steps", fmt::format("{}{}", steps > 0 ? fmt::format("{}, ", steps) : "",
                            step_source_words(summary.attribution.step_source))}};
  for (const auto& [problem, count] : read.problems) {
    fields.push_back({"problem", fmt::format("{}: {}", problem, base::counted(count, "time"))});
  }
  for (const DeviceTime& device : summary.attribution.devices) {
    std::string text = fmt::format("{} kernels, copies and memsets, {} times idle",
                                   device.activities, device.gaps);
    if (device.orphans > 0) {
      text += fmt::format("; {} of these have no recorded launch", device.orphans);
    }
    fields.push_back({device_name(summary, device.id), std::move(text)});
  }
  return fields;
}

std::string title_of(const TraceSummary& summary) {
  const std::string rank = summary.rank ? fmt::format(", rank {}", *summary.rank) : "";
  const bool has_device = !summary.attribution.devices.empty();
  return fmt::format("Where the {}'s time went{}", has_device ? "device" : "host", rank);
}

std::vector<PagePart> parts_of(const TraceSummary& summary) {
  return {{"devices", "Where the time went", devices_part(summary)},
          {"findings", "What to change", finding_cards(summary.findings)},
          {"timeline", "Over time", timeline_part(summary)},
          {"places", "Where the idle time is", places_part(summary)},
          {"gaps", "Longest idle times", gaps_part(summary)},
          {"steps", "Steps", steps_part(summary)},
          {"kernels", "Kernels and copies", names_part(summary.kernels, summary)},
          {"operators", "Operators and calls by self time", names_part(summary.operators, summary)},
          {"memory", "Memory", memory_part(summary)},
          {"reading", "How the trace was read", render_html({KeyValues{reading_fields(summary)}}),
           true},
          {"explanations", "What the findings mean",
           explanations(summary.findings, advice::kinds()), true}};
}

}  // namespace

base::Result<std::string> trace_html(const TraceSummary& summary) {
  const WebBundle* const bundle = trace_bundle();
  if (bundle == nullptr) return no_page("write as text, JSON, CSV or Markdown");
  return full_page(*bundle,
                   {title_of(summary), summary.source, trace_answer(summary), parts_of(summary),
                    data_element("timeline-data", timeline_data(summary)) +
                        download_data(trace_csv(summary), trace_json(summary))});
}

}  // namespace batchscope::traceview
