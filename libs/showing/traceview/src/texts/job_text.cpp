#include "batchscope/document/markdown.hpp"
#include "batchscope/document/text.hpp"
#include "batchscope/traceview/document.hpp"
#include "batchscope/traceview/trace.hpp"
#include "tables/job_tables.hpp"

namespace batchscope::traceview {
namespace {

using advice::JobSummary;
using document::Block;
using document::Document;
using document::Extent;
using document::Heading;
using document::List;
using document::Paragraph;
using document::render_markdown;
using document::render_text;
using document::TextStyle;
using document::Tone;

Document job_document(const JobSummary& job, Extent extent) {
  Document document{Paragraph{{{job.message, Tone::strong}}, false, true}};
  document.emplace_back(rank_table(job));
  if (List list = finding_list(job.findings, extent); !list.items.empty()) {
    document.emplace_back(Heading{2, "What to change"});
    document.emplace_back(std::move(list));
  }
  for (const advice::TraceSummary& rank : job.ranks) {
    if (extent != Extent::all) break;
    document.emplace_back(Heading{2, rank.source});
    for (Block& block : trace_document(rank, Extent::usual)) document.push_back(std::move(block));
  }
  return document;
}

}  // namespace

std::string job_text(const JobSummary& job, const TextStyle& style) {
  if (job.ranks.size() == 1) return trace_text(job.ranks.front(), style);
  return render_text(job_document(job, style.extent), style);
}

std::string job_markdown(const JobSummary& job) {
  if (job.ranks.size() == 1) return trace_markdown(job.ranks.front());
  return render_markdown(job_document(job, Extent::all));
}

}  // namespace batchscope::traceview
