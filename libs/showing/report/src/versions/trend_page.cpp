#include <fmt/format.h>

#include "batchscope/document/html.hpp"
#include "batchscope/report/versions.hpp"
#include "trend_chart.hpp"
#include "trend_document.hpp"

namespace batchscope::report {
namespace {

using document::html_text;
using document::render_html;
using findings::Trend;
using findings::TrendSeries;

// Colours by role, light and dark; 4.5 to 1 at least for what is read.
constexpr const char* kStyle = R"(
body { margin: 0 auto; max-width: 60rem; padding: 1rem; background: #fff; color: #1b1f24;
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.05rem; margin: 2rem 0 0; }
.answer { font-size: 1.15rem; } .dim { font-size: .9rem; } .dim, .interval { color: #57606a; }
.bad { color: #b3151f; } .good { color: #1a7f37; } .strong { font-weight: 600; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem; text-align: right; border-bottom: 1px solid #8884; }
.words { text-align: left; } .interval { margin-left: .4em; }
svg { width: 100%; height: auto; } svg text { fill: #57606a; font-size: 12px; }
.grid { stroke: #8884; } .level { stroke: #1b1f24; stroke-width: 2; } circle { fill: #0969da; }
.rise { fill: #cf222e; } .fall { fill: #1a7f37; } .rise, .fall { opacity: .22; }
h2, svg { break-inside: avoid; }
@media screen and (prefers-color-scheme: dark) {
  body { background: #0d1117; color: #e6edf3; } .dim, .interval { color: #9aa4af; }
  .bad { color: #ff8a82; } .good { color: #56d364; } svg text { fill: #9aa4af; }
  .level { stroke: #e6edf3; } circle { fill: #6cb6ff; } }
)";

// The finding of a chart is its title.
std::string title_of(const TrendSeries& series) {
  if (!series.changes.empty()) return series.changes.back().message;
  const std::string machine = series.machine.empty() ? "" : ", " + series.machine;
  return fmt::format("{}{}: no significant change", series.label, machine);
}

std::string figure(const Trend& trend, const TrendSeries& series) {
  return fmt::format("<h2>{}</h2>\n{}", html_text(title_of(series)), trend_chart(trend, series));
}

}  // namespace

std::string trend_html(const Trend& trend) {
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Times over runs</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n"
      "<h1>Times over runs</h1>\n<p class=\"answer\">{}</p>\n",
      kStyle, html_text(trend.message));
  if (!trend.warnings.empty())
    page += render_html({document::sentences(trend.warnings, document::Tone::plain)});
  page += render_html({trend_table(trend)});
  for (const TrendSeries& series : trend.series) page += figure(trend, series);
  if (const document::List changes = trend_changes(trend); !changes.items.empty()) {
    page += "<h2>Changes</h2>\n" + render_html({changes});
  }
  return page + fmt::format("<p class=\"dim\">{}</p>\n</main>\n</body>\n</html>\n",
                            html_text(trend_method(trend)));
}

}  // namespace batchscope::report
