#include "batchscope/report/trace.hpp"
#include "formats/render_markdown.hpp"
#include "formats/render_text.hpp"
#include "trace_document/trace_document.hpp"

namespace batchscope::report {

using advice::TraceSummary;

std::string trace_text(const TraceSummary& summary, const TextStyle& style) {
  return render_text(trace_document(summary, style.extent), style);
}

std::string trace_markdown(const TraceSummary& summary) {
  Document document{Heading{1, "Where the device's time went"}};
  for (Block& block : trace_document(summary, Extent::all)) document.push_back(std::move(block));
  return render_markdown(document);
}

}  // namespace batchscope::report
