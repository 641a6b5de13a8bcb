#include "batchscope/document/markdown.hpp"
#include "batchscope/document/text.hpp"
#include "batchscope/traceview/document.hpp"
#include "batchscope/traceview/trace.hpp"

namespace batchscope::traceview {

using advice::TraceSummary;
using document::Block;
using document::Document;
using document::Extent;
using document::Heading;
using document::render_markdown;
using document::render_text;
using document::TextStyle;

std::string trace_text(const TraceSummary& summary, const TextStyle& style) {
  return render_text(trace_document(summary, style.extent), style);
}

std::string trace_markdown(const TraceSummary& summary) {
  Document document{Heading{1, "Where the device's time went"}};
  for (Block& block : trace_document(summary, Extent::all)) document.push_back(std::move(block));
  return render_markdown(document);
}

}  // namespace batchscope::traceview
