#include "page/finding_cards.hpp"

#include <fmt/format.h>

#include "batchscope/document/finding_parts.hpp"
#include "batchscope/document/html.hpp"
#include "page/chart_data.hpp"
#include "tables/tables.hpp"

namespace batchscope::monitor_report {
namespace {

using document::html_text;
using watch::ActiveFinding;

std::string try_html(const findings::Finding& finding) {
  if (finding.fix.empty()) return "";
  return fmt::format(
      "<div class=\"try\"><p class=\"dim\">Try</p><pre "
      "tabindex=\"0\"><code>{}</code></pre></div>\n",
      html_text(finding.fix));
}

std::string card_of(const LogView& view, const RecordedSeries& recorded, size_t number) {
  const ActiveFinding& active = view.active_findings[number];
  const findings::Finding& finding = active.finding;
  return fmt::format(
      "<article class=\"card is-{}\" id=\"finding-{}\">\n<div class=\"card-text\">\n{}<h3>{}</h3>\n"
      "{}</div>\n{}</article>\n",
      document::card_style(finding), number + 1, document::kind_html(finding, view.kinds),
      html_text(finding.what),
      document::render_html({document::KeyValues{finding_fields(active, recorded)}}),
      try_html(finding));
}

}  // namespace

std::string finding_cards(const LogView& view, const RecordedSeries& recorded) {
  const std::vector<ActiveFinding>& active_findings = view.active_findings;
  if (active_findings.empty()) return "";
  std::string cards;
  for (size_t i = 0; i < active_findings.size() && i < kMostCards; ++i) {
    cards += card_of(view, recorded, i);
  }
  std::string html = "<div class=\"cards\">\n" + cards + "</div>\n";
  if (active_findings.size() > kMostCards) {
    html += fmt::format("<p class=\"dim\">The {} worst of {}. The Markdown report lists all.</p>\n",
                        kMostCards, active_findings.size());
  }
  return html;
}

}  // namespace batchscope::monitor_report
