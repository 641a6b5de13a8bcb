#include "batchscope/document/markdown.hpp"

#include "batchscope/monitor_report/monitor_page.hpp"
#include "charts/all_charts.hpp"
#include "tables/tables.hpp"

namespace batchscope::monitor_report {
namespace {

using document::Document;
using document::Heading;
using document::Paragraph;
using document::TextTable;

void add_answer(const Headline& answer, Document& document) {
  document.emplace_back(Heading{1, answer.headline});
  document.emplace_back(Paragraph{{{answer.message, document::Tone::strong}}, false, true});
  for (const std::string& doubt : answer.doubts) {
    document.emplace_back(Paragraph{{{doubt, document::Tone::caution}}, false, false});
  }
}

void add_figures(const std::vector<document::Tile>& tiles, Document& document) {
  document::KeyValues facts;
  for (const document::Tile& tile : tiles) {
    facts.fields.push_back(
        {tile.label, tile.value + (tile.beside.empty() ? "" : ", " + tile.beside)});
  }
  if (!facts.fields.empty()) document.emplace_back(std::move(facts));
}

void add_part(const char* title, TextTable table, Document& document) {
  if (table.rows.empty()) return;
  document.emplace_back(Heading{2, title});
  document.emplace_back(std::move(table));
}

}  // namespace

std::string markdown(const LogView& view) {
  const RecordedSeries recorded = series_in(view.log);
  const std::vector<Chart> charts = all_charts(recorded, view.active_findings);
  Document document;
  add_answer(answer_of(view, recorded, charts), document);
  add_figures(figures_of(recorded, charts), document);
  if (!view.active_findings.empty()) {
    document.emplace_back(Heading{2, "Findings, worst first"});
    document.emplace_back(finding_list(view.active_findings, recorded));
    document.emplace_back(Paragraph{
        {{"Checked: " + looked_at(recorded, charts), document::Tone::dim}}, false, false});
  }
  add_part("Training", loop_table(recorded), document);
  add_part("GPUs", gpu_table(recorded), document);
  add_part("All readings", line_table(charts), document);
  document.emplace_back(Heading{2, "Recording"});
  document.emplace_back(reading_facts(view, recorded));
  return document::render_markdown(document);
}

}  // namespace batchscope::monitor_report
