#include "batchscope/report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "answer_part.hpp"
#include "batchscope/analyze/analyze.hpp"
#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/document/finding_parts.hpp"
#include "batchscope/document/html.hpp"
#include "batchscope/document/page_frame.hpp"
#include "batchscope/document/terms.hpp"
#include "batchscope/document/web_bundle.hpp"
#include "batchscope/report/csv.hpp"
#include "batchscope/report/json.hpp"
#include "finding_cards.hpp"
#include "forest.hpp"
#include "html_charts.hpp"
#include "sections/content.hpp"
#include "sections/report_sections.hpp"

namespace batchscope::report {
namespace {

using document::data_element;
using document::explanations;
using document::fold;
using document::html_text;
using document::navigation;
using document::no_page;
using document::page_head;
using document::PagePart;
using document::part_html;
using document::render_html;
using document::terms_in;
using document::web_bundle;
using document::WebBundle;

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

// By the colour that charts have on a light background.
Json dark_colours() {
  Json dark;
  for (const charts::ColourTwins& twins : charts::colour_twins()) {
    dark[std::string(twins.light)] = twins.dark;
  }
  return dark;
}

std::string header(const std::string& title, const findings::Summary& summary,
                   const std::vector<PagePart>& parts, const HtmlOptions& options) {
  std::string out = fmt::format("<header>\n<h1>{}</h1>\n", html_text(title));
  for (const document::Block& input : inputs_section(summary)) {
    out += "<div class=\"dim\">" + render_html({input}) + "</div>\n";
  }
  if (options.redacted) out += fmt::format("<p class=\"dim\">{}</p>\n", kRedacted);
  return out + "<div class=\"tools\" id=\"tools\"></div>\n" + navigation(parts) + "</header>\n";
}

// The script puts the charts there that name the place.
std::string charts_place(const char* id) {
  return fmt::format(
      "<div class=\"charts-place\" id=\"{}\"><p>This viewer does not run the page's script, so it "
      "shows no charts. The tables below hold the same numbers.</p></div>\n",
      id);
}

// Where the page tells of a term.
std::string term_anchor(const findings::Term& term) {
  return std::string("term-") + term.anchor;
}

std::string term_link(const findings::Term* term) {
  return fmt::format("<a href=\"#{}\">{}</a>", term_anchor(*term), term->name);
}

std::string term_meanings(const std::vector<const findings::Term*>& terms) {
  if (terms.empty()) return "";
  std::string rows;
  for (const findings::Term* term : terms) {
    rows += fmt::format("<dt id=\"{}\">{}</dt><dd>{} ({})</dd>", term_anchor(*term), term->name,
                        term->meaning, doc_link(*term));
  }
  return "<h3>Terms</h3>\n<dl>" + rows + "</dl>\n";
}

std::string footer(const std::vector<const findings::Term*>& terms) {
  const std::string links = base::join(base::mapped(terms, term_link), ", ");
  const std::string reported = links.empty() ? "" : "<p>Terms: " + links + ".</p>\n";
  return "<footer>\n" + reported + "<p>Made by batchscope.</p>\n</footer>\n";
}

bool has_charts(const Json& charts, const char* place) {
  return std::any_of(charts.begin(), charts.end(),
                     [&](const Json& chart) { return chart.at("place") == place; });
}

// In reading order; what a reader looks up is folded.
constexpr std::array<std::string_view, 14> kPartOrder = {
    "charts",   "tuning", "findings", "causes", "traces",     "comparisons", "probes",
    "warnings", "next",   "summary",  "tables", "operations", "machine",     "reproduce"};
constexpr std::array<std::string_view, 6> kFolded = {"summary",     "tables",  "operations",
                                                     "comparisons", "machine", "reproduce"};

class Parts {
 public:
  Parts(const findings::Summary& summary, const Json& charts, const HtmlOptions& options)
      : summary_(summary), charts_(charts), options_(options) {}

  std::vector<PagePart> make(std::span<const schema::RunFile> runs) {
    std::vector<Section> sections =
        report_sections(summary_, runs, options_.commands, options_.traces);
    terms_ = terms_in(reported_in(sections));
    const auto place = [](const Section& section) {
      return std::find(kPartOrder.begin(), kPartOrder.end(), section.id) - kPartOrder.begin();
    };
    std::stable_sort(sections.begin(), sections.end(),
                     [&](const Section& a, const Section& b) { return place(a) < place(b); });
    for (const Section& section : sections) add(section);
    add_own();
    return std::move(parts_);
  }
  // That they use, once they are made.
  const std::vector<const findings::Term*>& terms() const { return terms_; }

 private:
  void add(const Section& section) {
    PagePart part{section.id, section.title, render_html(section.content),
                  base::contains(kFolded, section.id)};
    if (section.id == "summary") part.title = "In full sentences";
    if (section.charts) {
      if (!has_charts(charts_, places::kMain)) return;
      part.title = "What was measured";
      part.html = charts_place(places::kMain);
    } else if (section.id == "findings") {
      part.html = finding_cards(summary_);
    } else if (section.id == "comparisons" && !forest_leads(summary_)) {
      part.html =
          forest_html(summary_, options_.margin) + fold("All comparisons in words", part.html);
      part.folded = false;
    } else if (section.id == "tuning") {
      if (has_charts(charts_, places::kTuning)) part.html += charts_place(places::kTuning);
      part.html += fold("Pareto front of the search", render_html(section.below));
    }
    parts_.push_back(std::move(part));
  }

  void add_own() {
    if (has_charts(charts_, places::kMore)) {
      parts_.push_back({"more", "More charts", charts_place(places::kMore), true});
    }
    const std::string explained = explanations(summary_.findings, analyze::kinds());
    const std::string meanings = explained + term_meanings(terms_);
    if (meanings.empty()) return;
    const char* const title =
        explained.empty() ? "What the terms mean" : "What the findings and terms mean";
    parts_.push_back({"explanations", title, meanings, true});
  }

  const findings::Summary& summary_;
  const Json& charts_;
  const HtmlOptions& options_;
  std::vector<PagePart> parts_;
  std::vector<const findings::Term*> terms_;
};

}  // namespace

bool has_html() {
  return web_bundle() != nullptr;
}

base::Result<std::string> html(const findings::Summary& summary,
                               std::span<const schema::RunFile> runs, const HtmlOptions& options) {
  const WebBundle* bundle = web_bundle();
  if (bundle == nullptr) return no_page("write report.md instead");
  const std::string title = report_title(summary);
  const Json charts = html_charts(summary, runs);
  Parts maker(summary, charts, options);
  const std::vector<PagePart> parts = maker.make(runs);
  std::string page = page_head(title, *bundle);
  page += "<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<div class=\"page\">\n";
  page += header(title, summary, parts, options);
  page += "<main id=\"main\" tabindex=\"-1\">\n" + answer_part(summary, options.margin);
  for (const PagePart& part : parts) page += part_html(part);
  page += "</main>\n" + footer(maker.terms()) + "</div>\n";
  page += data_element("report-data", dumped({{"charts", charts}, {"dark", dark_colours()}}));
  page += data_element("report-csv", dumped(Json(csv(summary))));
  page += data_element("report-analysis", to_json(summary));
  page += fmt::format("<script>{}</script>\n</body>\n</html>\n", bundle->script);
  return page;
}

}  // namespace batchscope::report
