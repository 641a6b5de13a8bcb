#include "trace_cards.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/document/finding_parts.hpp"
#include "batchscope/document/html.hpp"
#include "batchscope/document/page_frame.hpp"
#include "batchscope/findings/wording.hpp"
#include "time_picture.hpp"

namespace batchscope::traceview {
namespace {

using advice::TraceSummary;
using attribution::DeviceTime;
using document::card_style;
using document::html_text;
using document::kind_html;
using document::Tile;
using document::tiles_html;
using findings::Finding;

constexpr size_t kMostTiles = 4;  // of devices

std::string headline(const TraceSummary& summary) {
  const Finding* finding = advice::most_to_gain(summary.findings);
  if (finding == nullptr && !summary.findings.empty()) finding = &summary.findings.front();
  const findings::FindingKind* const kind =
      finding == nullptr ? nullptr : findings::find_kind(advice::kinds(), finding->id);
  if (kind != nullptr) return std::string(kind->title);
  return summary.attribution.devices.empty() ? "The trace has no device" : "No large gain found";
}

std::vector<Tile> tiles_of(const TraceSummary& summary) {
  std::vector<Tile> tiles;
  for (const DeviceTime& device : summary.attribution.devices) {
    if (tiles.size() == kMostTiles) break;
    tiles.push_back({findings::percent(device.parts.busy_share()),
                     "busy, of " + findings::milliseconds_of(device.wall_ns()),
                     device_label(summary, device.id)});
  }
  if (const Finding* const most = advice::most_to_gain(summary.findings)) {
    tiles.push_back({findings::percent_range(*most->gain), "of the time", "largest gain"});
  }
  return tiles;
}

// The least that is gained, and up to how much more, of a bar that is all the time.
std::string gain_figure(const Finding& finding) {
  if (!finding.gain) return "";
  const double low = std::clamp(finding.gain->low, 0.0, 1.0);
  const double high = std::clamp(finding.gain->high, low, 1.0);
  return fmt::format(
      "<figure class=\"small gain\"><svg width=\"100%\" height=\"14\" aria-hidden=\"true\"><rect "
      "class=\"all\" width=\"100%\" height=\"14\"/><rect class=\"may\" width=\"{:.2f}%\" "
      "height=\"14\"/><rect class=\"least\" width=\"{:.2f}%\" height=\"14\"/></svg><figcaption>"
      "<strong>{}</strong> of the time to gain</figcaption></figure>\n",
      100 * high, 100 * low, html_text(findings::percent_range(*finding.gain)));
}

std::string fix_html(const Finding& finding) {
  if (finding.fix.empty()) return "";
  return fmt::format(
      "<div class=\"try\"><p class=\"dim\">Try</p><pre "
      "tabindex=\"0\"><code>{}</code></pre></div>\n",
      html_text(finding.fix));
}

std::string card_html(const Finding& finding) {
  return fmt::format(
      "<article class=\"card is-{}\">\n<div class=\"card-text\">\n{}<h3>{}</h3>\n</div>\n{}{}"
      "</article>\n",
      card_style(finding), kind_html(finding, advice::kinds()),
      html_text(base::capitalised(finding.what)), gain_figure(finding), fix_html(finding));
}

}  // namespace

std::string answer_html(const std::string& headline, const std::string& message,
                        const std::vector<Tile>& tiles) {
  return fmt::format(
      "<section id=\"answer\" class=\"answer\" aria-labelledby=\"answer-title\">\n"
      "<h2 id=\"answer-title\">{}</h2>\n<p class=\"setting\">{}</p>\n{}</section>\n",
      html_text(headline), html_text(message), tiles_html(tiles));
}

std::string trace_answer(const TraceSummary& summary) {
  return answer_html(headline(summary), summary.message, tiles_of(summary));
}

std::string finding_cards(const std::vector<Finding>& findings) {
  std::string cards;
  for (const Finding& finding : findings) cards += card_html(finding);
  return cards.empty() ? "" : "<div class=\"cards\">\n" + cards + "</div>\n";
}

}  // namespace batchscope::traceview
