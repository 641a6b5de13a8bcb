#include "traces_section.hpp"

#include <iterator>
#include <vector>

#include "batchscope/traceview/document.hpp"

namespace batchscope::report {
namespace {

using document::Document;
using document::Heading;
using document::Paragraph;
using document::Tone;

constexpr std::size_t kMostOperators = 8;

// A run on the CPU has none, and is not to be told so.
constexpr const char* kNoDeviceFinding = "trace.no-device";
constexpr const char* kNoDevice =
    "The trace has no device. These are self times of operators on the host.";

std::string heading_of(const advice::NamedTrace& trace) {
  return trace.of.empty() ? trace.file : trace.of;
}

void add_blocks(Document& document, Document more) {
  std::move(more.begin(), more.end(), std::back_inserter(document));
}

Document host_alone(const advice::TraceSummary& summary) {
  Document document{Paragraph{{{kNoDevice, Tone::strong}}}};
  const std::size_t steps = summary.attribution.steps.size();
  document.emplace_back(traceview::totals_table(summary.operators, kMostOperators, steps));
  std::vector<findings::Finding> others = summary.findings;
  std::erase_if(others, [](const findings::Finding& each) { return each.id == kNoDeviceFinding; });
  if (document::List list = traceview::finding_list(others, document::Extent::usual);
      !list.items.empty()) {
    document.emplace_back(Heading{2, "What to change"});
    document.emplace_back(std::move(list));
  }
  document.emplace_back(Paragraph{{{traceview::how_it_was_read(summary), Tone::dim}}});
  return document;
}

Document one_trace(const advice::NamedTrace& trace) {
  Document document{Heading{1, heading_of(trace)}};
  if (!trace.of.empty()) document.emplace_back(Paragraph{{{trace.file, Tone::dim}}});
  if (!trace.summary) {
    document.emplace_back(Paragraph{{{"Not shown: " + trace.problem, Tone::caution}}});
  } else if (trace.summary->attribution.devices.empty()) {
    add_blocks(document, host_alone(*trace.summary));
  } else {
    add_blocks(document, traceview::trace_document(*trace.summary, document::Extent::usual));
  }
  return document;
}

}  // namespace

Document traces_section(std::span<const advice::NamedTrace> traces) {
  Document section;
  for (const advice::NamedTrace& trace : traces) add_blocks(section, one_trace(trace));
  return section;
}

}  // namespace batchscope::report
