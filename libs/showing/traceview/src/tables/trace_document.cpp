#include <fmt/format.h>

#include "batchscope/findings/wording.hpp"
#include "batchscope/traceview/document.hpp"

namespace batchscope::traceview {
namespace {

using advice::TraceSummary;
using document::Document;
using document::Extent;
using document::Heading;
using document::Item;
using document::List;
using document::Paragraph;
using document::TextTable;
using document::Tone;
using findings::Finding;
using findings::Severity;

constexpr size_t kKernelsShown = 5;
constexpr size_t kFindingsShown = 5;
constexpr size_t kOperatorsShown = 8;

Tone tone_of(Severity severity) {
  if (severity >= Severity::medium) return Tone::bad;
  return severity == Severity::low ? Tone::caution : Tone::plain;
}

Item finding_item(const Finding& finding) {
  Item item;
  item.lead = {{fmt::format("{}: ", to_string(finding.severity)), tone_of(finding.severity)},
               {finding.what, Tone::plain}};
  if (finding.gain) {
    item.fields.push_back({"gain", findings::percent_range(*finding.gain) + " of the time"});
  }
  if (!finding.fix.empty()) item.fields.push_back({"try", finding.fix, true});
  return item;
}

void add_table(const char* title, TextTable table, Document& document) {
  if (table.rows.empty()) return;
  if (*title != '\0') document.emplace_back(Heading{2, title});
  document.emplace_back(std::move(table));
}

}  // namespace

const char* step_source_words(attribution::StepSource source) {
  switch (source) {
    case attribution::StepSource::none:
      return "none found";
    case attribution::StepSource::recorded:
      return "marked by the profiler";
    case attribution::StepSource::named:
      return "ranges with the given name";
    case attribution::StepSource::inferred:
      return "inferred from repeats";
  }
  return "";
}

std::string how_it_was_read(const TraceSummary& summary) {
  const trace::ReadSummary& read = summary.read;
  std::string text = fmt::format("{}: {} events", read.profiler, read.events);
  if (read.skipped > 0) text += fmt::format(", {} unreadable", read.skipped);
  if (read.truncated) text += ", and the file is truncated";
  if (read.unread_bytes > 0) {
    text += fmt::format(", and {} bytes after the end were not read", read.unread_bytes);
  }
  const size_t steps = summary.attribution.steps.size();
  if (steps > 0)
    text += fmt::format("; {} {}, {}", steps, steps == 1 ? "step" : "steps",
                        step_source_words(summary.attribution.step_source));
  for (const auto& device : summary.attribution.devices) {
    if (device.orphans == 0) continue;
    text += fmt::format("; no launch recorded for {} of {} activities of {}", device.orphans,
                        device.activities, device_name(summary, device.id));
  }
  return text + ".";
}

List finding_list(const std::vector<Finding>& findings, Extent extent) {
  List list;
  for (const Finding& finding : findings) {
    if (extent != Extent::all && list.items.size() == kFindingsShown) break;
    list.items.push_back(finding_item(finding));
  }
  return list;
}

Document trace_document(const TraceSummary& summary, Extent extent) {
  Document document{Paragraph{{{summary.message, Tone::strong}}, false, true}};
  if (extent == Extent::answer) return document;
  add_table("", device_parts_table(summary), document);
  add_table("", host_table(summary), document);
  add_table("Threads by self time", thread_table(summary), document);
  if (List list = finding_list(summary.findings, extent); !list.items.empty()) {
    document.emplace_back(Heading{2, "What to change"});
    document.emplace_back(std::move(list));
  }
  const bool all = extent == Extent::all;
  const size_t steps = summary.attribution.steps.size();
  add_table("Kernels and copies", totals_table(summary.kernels, all ? 50 : kKernelsShown, steps),
            document);
  if (all) {
    add_table("Steps", step_table(summary), document);
    add_table("Where the idle time is", place_table(summary), document);
    add_table("Longest idle times", gap_table(summary), document);
  }
  if (all || summary.attribution.devices.empty()) {
    add_table("Operators and calls by self time",
              totals_table(summary.operators, all ? 50 : kOperatorsShown, steps), document);
  }
  if (all) add_table("Memory", memory_table(summary), document);
  document.emplace_back(Paragraph{{{how_it_was_read(summary), Tone::dim}}});
  return document;
}

}  // namespace batchscope::traceview
