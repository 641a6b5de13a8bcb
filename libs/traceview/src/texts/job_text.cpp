#include <fmt/format.h>

#include "batchscope/document/markdown.hpp"
#include "batchscope/document/text.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/traceview/document.hpp"
#include "batchscope/traceview/trace.hpp"

namespace batchscope::traceview {
namespace {

using advice::JobSummary;
using advice::RankTimes;
using document::Block;
using document::cell_of;
using document::Document;
using document::Extent;
using document::Heading;
using document::List;
using document::Paragraph;
using document::render_markdown;
using document::render_text;
using document::Table;
using document::TextStyle;

Table rank_table(const JobSummary& job) {
  Table table;
  table.columns = {{"rank", "", true},    {"time", "ms"},        {"busy", ""},
                   {"compute", "ms"},     {"collectives", "ms"}, {"of that", "waiting, ms"},
                   {"the last", "times"}, {"clock off", "ms"}};
  for (size_t i = 0; i < job.times.size(); ++i) {
    const RankTimes& times = job.times[i];
    attribution::TimeParts parts;
    for (const auto& device : job.ranks[i].attribution.devices) parts += device.parts;
    table.rows.push_back(
        {cell_of(fmt::format("{}", times.rank)), milliseconds_cell(times.wall_ns),
         cell_of(findings::percent(parts.busy_share())), milliseconds_cell(times.compute_ns),
         milliseconds_cell(times.communication_ns), milliseconds_cell(times.waited_ns),
         cell_of(fmt::format("{}", times.last_to_arrive)), milliseconds_cell(times.offset_ns)});
  }
  return table;
}

Document job_document(const JobSummary& job, Extent extent) {
  Document document{Paragraph{{{job.message, Tone::strong}}, false, true}};
  document.emplace_back(rank_table(job));
  if (List list = finding_list(job.findings, extent); !list.items.empty()) {
    document.emplace_back(Heading{2, "What would change it"});
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
