#include "forest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "batchscope/base/units.hpp"
#include "batchscope/charts/ratio_axis.hpp"
#include "batchscope/charts/svg.hpp"
#include "batchscope/document/html.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::report {
namespace {

using charts::path_through;
using charts::Svg;
using document::html_text;
using findings::Comparison;
using findings::GateCheck;
using findings::inline_estimate;
using findings::Outcome;
using findings::percent;
using findings::Quantity;

constexpr double kPlotWidth = 320;  // of the plot, in units of its drawing
constexpr double kMiddle = 13;
constexpr double kEdge = 4;
constexpr std::size_t kMostRows = 40;

// Where ratios of times stand, and the margin that is drawn.
struct RatioPlot {
  RatioPlot(std::span<const Comparison> comparisons, std::optional<double> asked)
      : scale(charts::ratio_ends(comparisons, asked), 0, kPlotWidth, true), margin(asked) {}

  double across(double ratio) const {
    return std::clamp(scale.held(ratio), kEdge, kPlotWidth - kEdge);
  }
  bool is_beyond(double ratio) const { return scale.is_below(ratio) || scale.is_above(ratio); }

  charts::Scale scale;
  std::optional<double> margin;
};

// The end of an interval: a cap, or an arrow where it leaves the plot.
std::string end_of(const RatioPlot& plot, double ratio, double direction) {
  const double at = plot.across(ratio);
  const double back = plot.is_beyond(ratio) ? at - 6 * direction : at;
  return path_through({{back, kMiddle - 5}, {at, kMiddle}, {back, kMiddle + 5}});
}

std::string plot_of(const Comparison& each, const RatioPlot& plot) {
  Svg svg;
  const auto upright = [&](const char* look, double ratio) {
    svg.line(look, {plot.across(ratio), 0}, {plot.across(ratio), 2 * kMiddle});
  };
  upright("none", 1);
  if (plot.margin) upright("margin", 1 + *plot.margin);
  if (const auto& ci = each.ratio.ci) {
    svg.path("interval",
             path_through({{plot.across(ci->low), kMiddle}, {plot.across(ci->high), kMiddle}}) +
                 end_of(plot, ci->low, -1) + end_of(plot, ci->high, 1));
  }
  const double at = each.ratio.value > 0 ? plot.across(each.ratio.value) : kPlotWidth / 2;
  svg.rect("point", {at - 4.5, kMiddle - 4.5}, 9, 9);
  return svg.drawing(kPlotWidth, 2 * kMiddle, "aria-hidden=\"true\"");
}

// What the gate on regressions says of a comparison; null: it was not asked.
const GateCheck* check_of(const findings::Summary& summary, std::size_t comparison) {
  for (const findings::Gate& gate : summary.gates) {
    for (const GateCheck& check : gate.checks) {
      if (check.comparison == comparison) return &check;
    }
  }
  return nullptr;
}

struct RowVerdict {
  const char* look;
  const char* words;
};

RowVerdict verdict_of(const Comparison& each, const GateCheck* check) {
  const bool faster = each.significant && each.ratio.value < 1;
  if (check == nullptr) {
    if (!each.ratio.ci) return {"open", "not tested"};
    if (faster) return {"faster", "faster"};
    return each.significant ? RowVerdict{"slower", "slower"}
                            : RowVerdict{"open", "no significant difference"};
  }
  if (check->outcome == Outcome::failed) return {"slower", "slower, beyond the margin"};
  if (check->outcome == Outcome::inconclusive) return {"open", "cannot tell"};
  return faster ? RowVerdict{"faster", "faster"} : RowVerdict{"open", "within the margin"};
}

std::string compared_name(const Comparison& each) {
  const int64_t size = each.config.shape.batch_size;
  return each.other + " against " + each.base + (size > 0 ? fmt::format(", batch {}", size) : "");
}

std::string row_html(const Comparison& each, const RowVerdict& verdict, const RatioPlot& plot) {
  return fmt::format(
      "<tr class=\"{}\"><th scope=\"row\" class=\"words\">{}</th><td class=\"plot\">{}</td>"
      "<td>{}</td><td class=\"words\">{}</td></tr>\n",
      verdict.look, html_text(compared_name(each)), plot_of(each, plot),
      html_text(inline_estimate(each.ratio, Quantity::ratio)), verdict.words);
}

std::string scale_html(const RatioPlot& plot) {
  Svg svg;
  for (const charts::AxisTick& tick : charts::ratio_ticks(plot.scale.values())) {
    svg.text("tick", {plot.across(tick.value), 14}, "middle", tick.text);
  }
  return fmt::format(
      "<tr class=\"scale\"><th scope=\"row\" class=\"words\">time ratio</th><td class=\"plot\">{}"
      "</td><td></td><td></td></tr>\n",
      svg.drawing(kPlotWidth, 18, "aria-hidden=\"true\""));
}

std::optional<double> margin_of(const findings::Summary& summary, std::optional<double> asked) {
  for (const findings::Gate& gate : summary.gates) {
    if (gate.margin) return gate.margin;
  }
  return asked;
}

std::string note_of(const RatioPlot& plot, std::size_t drawn, std::size_t all) {
  std::string note =
      "Left of the line: faster. Right: slower. Bars: CIs, with an arrow beyond the plot.";
  if (plot.margin) {
    note += fmt::format(" Dashed: the margin ({} more time).", base::format_level(*plot.margin));
  }
  if (drawn < all) note += fmt::format(" The first {} of {} comparisons.", drawn, all);
  return note;
}

std::string forest_title(const std::vector<Comparison>& all) {
  const auto reported = std::count_if(all.begin(), all.end(),
                                      [](const Comparison& each) { return each.significant; });
  const bool tested = std::any_of(all.begin(), all.end(),
                                  [](const Comparison& each) { return each.ratio.ci.has_value(); });
  if (!tested) return "Too few visits to test a difference";
  if (reported == 0) return "No significant difference";
  if (all.size() == 1) {
    const Comparison& only = all.front();
    return fmt::format("{} takes {} {} time than {}", only.other,
                       percent(std::abs(only.ratio.value - 1)),
                       only.ratio.value > 1 ? "more" : "less", only.base);
  }
  return fmt::format("{} of {} comparisons show a significant difference", reported, all.size());
}

}  // namespace

bool forest_leads(const findings::Summary& summary) {
  if (summary.comparisons.empty()) return false;
  if (summary.answer.kind == findings::AnswerKind::comparison) return true;
  const auto axis = summary.comparisons.front().axis_id;
  return !axis || *axis == schema::AxisId::model || *axis == schema::AxisId::engine;
}

std::string forest_html(const findings::Summary& summary, std::optional<double> margin) {
  const std::vector<Comparison>& all = summary.comparisons;
  if (all.empty()) return "";
  const std::vector<Comparison> drawn(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kMostRows)));
  const RatioPlot plot(drawn, margin_of(summary, margin));
  std::string rows;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    rows += row_html(drawn[i], verdict_of(drawn[i], check_of(summary, i)), plot);
  }
  return fmt::format(
      "<figure class=\"chart forest\" id=\"chart-forest\">\n<figcaption><h3>{}</h3></figcaption>\n"
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Ratios of times\">"
      "<table>\n<thead><tr><th scope=\"col\" class=\"words\">compared</th>"
      "<th scope=\"col\" class=\"words\">less time &#8592; &#8594; more time</th>"
      "<th scope=\"col\">time ratio</th><th scope=\"col\" class=\"words\">verdict</th></tr></thead>"
      "\n<tbody>\n{}{}</tbody>\n</table></div>\n<p class=\"note\">{}</p>\n</figure>\n",
      html_text(forest_title(all)), rows, scale_html(plot),
      html_text(note_of(plot, drawn.size(), all.size())));
}

}  // namespace batchscope::report
