#include "batchscope/monitor_report/monitor_page.hpp"

#include <fmt/format.h>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/document/finding_parts.hpp"
#include "batchscope/document/html.hpp"
#include "batchscope/document/page_frame.hpp"
#include "batchscope/document/web_bundle.hpp"
#include "charts/all_charts.hpp"
#include "page/chart_data.hpp"
#include "page/finding_cards.hpp"
#include "tables/tables.hpp"

namespace batchscope::monitor_report {
namespace {

using document::html_text;
using document::PagePart;
using document::render_html;
using document::WebBundle;

std::string answer_html(const Headline& answer, const std::vector<document::Tile>& tiles) {
  std::string doubts;
  for (const std::string& doubt : answer.doubts) {
    doubts += fmt::format("<p class=\"caution\">{}</p>\n", html_text(doubt));
  }
  return fmt::format(
      "<section id=\"answer\" class=\"answer\" aria-labelledby=\"answer-title\">\n"
      "<h2 id=\"answer-title\">{}</h2>\n<p class=\"setting\">{}</p>\n{}{}</section>\n",
      html_text(answer.headline), html_text(answer.message), doubts, document::tiles_html(tiles));
}

std::string figure_html(const Chart& chart, const RecordedSeries& recorded) {
  const std::string unit = chart.unit.empty() ? chart.title : chart.title + ", " + chart.unit;
  const std::string note =
      chart.note.empty() ? "" : fmt::format("<p class=\"note\">{}</p>\n", html_text(chart.note));
  return fmt::format(
      "<figure class=\"chart\" id=\"chart-{}\"><figcaption><h3>{}</h3></figcaption>\n"
      "<div class=\"plot-place\"></div>\n{}<details class=\"numbers\"><summary>Numbers</summary>\n"
      "{}</details></figure>\n",
      chart.id, html_text(unit), note, render_html({chart_table(chart, recorded)}));
}

// How lines of many readings are drawn.
std::string thinned(const RecordedSeries& recorded) {
  const size_t most = base::largest_of(
      recorded.clocks, [](const TimeAxis& clock) { return clock.most; }, size_t{1});
  if (most < 2) return "";
  return fmt::format(
      "<p class=\"note\">Each point covers up to {} consecutive readings: the line is the mean, "
      "the band spans minimum to maximum. The band keeps every peak.</p>\n",
      most);
}

std::string not_drawn(const RecordedSeries& recorded) {
  std::string html;
  const auto some = [&](size_t all, const char* what) {
    if (all > kMostLines) {
      html += fmt::format("<p class=\"note\">The chart shows {} of {} {}; the table has all.</p>\n",
                          kMostLines, all, what);
    }
  };
  some(recorded.gpus.size(), "GPUs");
  some(recorded.loops.size(), "training loops");
  return html;
}

std::string timeline_part(const LogView& view, const RecordedSeries& recorded,
                          const std::vector<Chart>& charts) {
  if (charts.empty()) return "";
  std::string html =
      "<div id=\"time-tools\"><p class=\"note\">The charts need this page's script, which this "
      "viewer does not run. The tables have the numbers.</p></div>\n<div class=\"time-charts\">\n";
  if (!view.active_findings.empty()) {
    html +=
        "<figure class=\"chart wide\" id=\"chart-findings\"><figcaption><h3>Findings</h3>"
        "</figcaption>\n<div class=\"plot-place\"></div></figure>\n";
  }
  for (const Chart& chart : charts) html += figure_html(chart, recorded);
  return html + "</div>\n" + thinned(recorded) + not_drawn(recorded);
}

std::string table_part(document::TextTable table) {
  return table.rows.empty() ? "" : render_html({std::move(table)});
}

std::vector<findings::Finding> findings_of(const LogView& view) {
  return base::mapped(view.active_findings,
                      [](const watch::ActiveFinding& one) { return one.finding; });
}

std::vector<PagePart> parts_of(const LogView& view, const RecordedSeries& recorded,
                               const std::vector<Chart>& charts) {
  std::vector<PagePart> parts{
      {"findings", "Findings, worst first", finding_cards(view, recorded)},
      {"timeline", "Over time", timeline_part(view, recorded, charts)},
      {"training", "Training", table_part(loop_table(recorded))},
      {"gpus", "GPUs", table_part(gpu_table(recorded))},
      {"reading", "Recording",
       render_html({reading_facts(view, recorded),
                    document::Paragraph{{{"Checked: " + looked_at(recorded, charts)}}}}),
       true},
      {"explanations", "What the findings mean",
       document::explanations(findings_of(view), view.kinds), true}};
  std::erase_if(parts, [](const PagePart& part) { return part.html.empty(); });
  return parts;
}

std::string body_of(const LogView& view, const RecordedSeries& recorded,
                    const std::vector<Chart>& charts) {
  const std::vector<PagePart> parts = parts_of(view, recorded, charts);
  const std::string& host = view.log.header.host;
  std::string body = fmt::format(
      "<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<div "
      "class=\"page\">\n<header>\n<h1>Monitoring report{}</h1>\n<p class=\"dim\">{}</p>\n<div "
      "class=\"tools\" id=\"tools\"></div>\n{}</header>\n<main id=\"main\" tabindex=\"-1\">\n",
      host.empty() ? "" : " on " + html_text(short_name(host)), html_text(view.file),
      document::navigation(parts));
  body += answer_html(answer_of(view, recorded, charts), figures_of(recorded, charts));
  for (const PagePart& part : parts) body += document::part_html(part);
  return body + "</main>\n<footer><p>Made by batchscope.</p></footer>\n</div>\n";
}

}  // namespace

base::Result<std::string> html(const LogView& view) {
  const WebBundle* const bundle = document::monitor_bundle();
  if (bundle == nullptr) return document::no_page("write Markdown instead");
  const RecordedSeries recorded = series_in(view.log);
  const std::vector<Chart> charts = all_charts(recorded, view.active_findings);
  std::string page = document::page_head("Monitoring report, " + view.file, *bundle);
  page += body_of(view, recorded, charts);
  page +=
      document::data_element("monitor-data", chart_data(view.active_findings, recorded, charts));
  page += fmt::format("<script>{}</script>\n</body>\n</html>\n", bundle->script);
  return page;
}

}  // namespace batchscope::monitor_report
