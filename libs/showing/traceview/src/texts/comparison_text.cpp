#include "batchscope/document/markdown.hpp"
#include "batchscope/document/text.hpp"
#include "batchscope/traceview/trace.hpp"
#include "tables/job_tables.hpp"

namespace batchscope::traceview {
namespace {

using advice::TraceComparison;
using document::Document;
using document::Heading;
using document::List;
using document::Paragraph;
using document::render_markdown;
using document::render_text;
using document::TextStyle;
using document::Tone;

constexpr size_t kKernelsCompared = 10;

Document comparison_document(const TraceComparison& comparison) {
  Document document{Paragraph{{{comparison.message, Tone::strong}}, false, true}};
  document.emplace_back(changed_parts_table(comparison));
  const bool of_host = comparison.of_host;
  document::TextTable names = of_host ? changed_operators_table(comparison, kKernelsCompared)
                                      : changed_kernels_table(comparison, kKernelsCompared);
  if (!names.rows.empty()) {
    document.emplace_back(
        Heading{2, of_host ? "Operators and calls with the largest change of self time"
                           : "Kernels and copies with the largest change"});
    document.emplace_back(std::move(names));
  }
  if (List predictions = prediction_list(comparison); !predictions.items.empty()) {
    document.emplace_back(Heading{2, "Predicted and measured gains"});
    document.emplace_back(std::move(predictions));
  }
  return document;
}

}  // namespace

std::string comparison_text(const TraceComparison& comparison, const TextStyle& style) {
  return render_text(comparison_document(comparison), style);
}

std::string comparison_markdown(const TraceComparison& comparison) {
  return render_markdown(comparison_document(comparison));
}

}  // namespace batchscope::traceview
