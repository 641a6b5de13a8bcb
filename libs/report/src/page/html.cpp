#include "batchscope/report/html.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/report/csv.hpp"
#include "charts/chart_style.hpp"
#include "html_charts.hpp"
#include "render_html.hpp"
#include "sections/content.hpp"
#include "sections/report_sections.hpp"
#include "web_bundle.hpp"

namespace batchscope::report {
namespace {

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string data_element(const char* id, const std::string& json) {
  return fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", id,
                     script_json(json));
}

// Nothing is fetched, and nothing runs or styles but what stands in the page, known by its hash.
std::string policy(const WebBundle& bundle) {
  return fmt::format(
      "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; "
      "form-action 'none'",
      bundle.script_hash, bundle.style_hash);
}

std::string head(const std::string& title, const WebBundle& bundle) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n",
      policy(bundle), html_text(title), bundle.style);
}

std::string navigation(const std::vector<Section>& sections) {
  const auto links = base::mapped(sections, [](const Section& section) {
    return fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, section.title);
  });
  return "<nav aria-label=\"Sections\"><ul>\n" + base::join(links, "") + "</ul></nav>\n";
}

std::string header(const std::string& title, const findings::Summary& summary,
                   const std::vector<Section>& sections, const HtmlOptions& options) {
  std::string out = fmt::format("<header>\n<h1>{}</h1>\n", html_text(title));
  for (const Block& input : inputs_section(summary)) {
    out += "<div class=\"dim\">" + render_html({input}) + "</div>\n";
  }
  if (options.redacted) out += fmt::format("<p class=\"dim\">{}</p>\n", kRedacted);
  return out + "<div class=\"tools\" id=\"tools\"></div>\n" + navigation(sections) + "</header>\n";
}

// The script puts the charts there that name the place.
std::string charts_place(const char* id) {
  return fmt::format(
      "<div class=\"charts-place\" id=\"{}\"><p>The charts are drawn by this page's script, which "
      "the reader you use does not run; the tables below hold the same numbers.</p></div>\n",
      id);
}

std::string charts(const findings::Summary& summary) {
  const std::string common = series_names(summary.groups).common;
  std::string out;
  if (!common.empty()) out += "<p class=\"dim\">" + html_text(common) + "</p>\n";
  return out + charts_place("charts-place");
}

std::string section_html(const Section& section, const findings::Summary& summary) {
  const char* look = section.id == "summary" ? "headline" : section.id.c_str();
  return fmt::format(
      "<section id=\"{0}\" class=\"{1}\" aria-labelledby=\"{0}-title\">\n"
      "<h2 id=\"{0}-title\">{2}</h2>\n{3}{4}{5}{6}</section>\n",
      section.id, look, section.title, render_html(section.content),
      section.charts ? charts(summary) : "",
      section.tuning_charts ? charts_place("tuning-charts") : "", render_html(section.below));
}

}  // namespace

bool has_html() {
  return web_bundle() != nullptr;
}

base::Result<std::string> html(const findings::Summary& summary,
                               std::span<const schema::RunFile> runs, const HtmlOptions& options) {
  const WebBundle* bundle = web_bundle();
  if (bundle == nullptr) {
    return base::Error{base::ErrorKind::failed, "this build has no HTML report",
                       base::Subject::output,
                       "write report.md instead, or build with node: apt-get install nodejs npm, "
                       "npm ci in web/report, and cmake again"};
  }
  const std::string title = report_title(summary);
  const std::vector<Section> sections = report_sections(summary, runs, options.commands);
  std::string page = head(title, *bundle);
  page += "<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<div class=\"page\">\n";
  page += header(title, summary, sections, options);
  page += "<main id=\"main\" tabindex=\"-1\">\n";
  for (const Section& section : sections) page += section_html(section, summary);
  page += "</main>\n<footer>Made by batchscope.</footer>\n</div>\n";
  page += data_element("report-data", dumped({{"charts", html_charts(summary)}}));
  page += data_element("report-csv", dumped(Json(csv(summary))));
  page += data_element("report-analysis", findings::to_json(summary));
  page += fmt::format("<script>{}</script>\n</body>\n</html>\n", bundle->script);
  return page;
}

}  // namespace batchscope::report
