#include "forest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "batchscope/base/units.hpp"
#include "batchscope/charts/ratio_axis.hpp"
#include "batchscope/document/html.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::report {
namespace {

using charts::RatioAxis;
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

// In the plot, whose ends take what lies beyond them.
double across(const RatioAxis& axis, double ratio) {
  const double at = ratio > 0 ? kPlotWidth / 2 * (1 + axis.place(ratio)) : 0;
  return std::clamp(at, kEdge, kPlotWidth - kEdge);
}

std::string lines(const RatioAxis& axis) {
  std::string out = fmt::format("<path class=\"none\" d=\"M{:.1f} 0V26\"/>", across(axis, 1));
  if (axis.margin()) {
    out += fmt::format("<path class=\"margin\" d=\"M{:.1f} 0V26\"/>",
                       across(axis, 1 + *axis.margin()));
  }
  return out;
}

// The end of an interval: a cap, or an arrow where it leaves the plot.
std::string end_of(const RatioAxis& axis, double ratio, int direction) {
  const double at = across(axis, ratio);
  if (!axis.is_beyond(ratio)) return fmt::format("M{:.1f} {}v8", at, kMiddle - 4);
  return fmt::format("M{:.1f} {}l{} 5l{} 5", at - 6 * direction, kMiddle - 5, 6 * direction,
                     -6 * direction);
}

std::string plot_of(const Comparison& each, const RatioAxis& axis) {
  std::string marks = lines(axis);
  if (each.ratio.ci) {
    marks +=
        fmt::format("<path class=\"interval\" d=\"M{:.1f} {}H{:.1f}{}{}\"/>",
                    across(axis, each.ratio.ci->low), kMiddle, across(axis, each.ratio.ci->high),
                    end_of(axis, each.ratio.ci->low, -1), end_of(axis, each.ratio.ci->high, 1));
  }
  const double at = each.ratio.value > 0 ? across(axis, each.ratio.value) : kPlotWidth / 2;
  marks += fmt::format("<rect class=\"point\" x=\"{:.1f}\" y=\"{}\" width=\"9\" height=\"9\"/>",
                       at - 4.5, kMiddle - 4.5);
  return fmt::format("<svg viewBox=\"0 0 {} 26\" aria-hidden=\"true\">{}</svg>", kPlotWidth, marks);
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

std::string row_html(const Comparison& each, const RowVerdict& verdict, const RatioAxis& axis) {
  return fmt::format(
      "<tr class=\"{}\"><th scope=\"row\" class=\"words\">{}</th><td class=\"plot\">{}</td>"
      "<td>{}</td><td class=\"words\">{}</td></tr>\n",
      verdict.look, html_text(compared_name(each)), plot_of(each, axis),
      html_text(inline_estimate(each.ratio, Quantity::ratio)), verdict.words);
}

std::string scale_html(const RatioAxis& axis) {
  std::string texts;
  for (const double ratio : axis.marks()) {
    texts += fmt::format("<text x=\"{:.1f}\" y=\"14\">{}</text>", across(axis, ratio),
                         findings::three_digits(ratio));
  }
  return fmt::format(
      "<tr class=\"scale\"><th scope=\"row\" class=\"words\">time ratio</th><td class=\"plot\">"
      "<svg viewBox=\"0 0 {} 18\" aria-hidden=\"true\">{}</svg></td><td></td><td></td></tr>\n",
      kPlotWidth, texts);
}

std::optional<double> margin_of(const findings::Summary& summary, std::optional<double> asked) {
  for (const findings::Gate& gate : summary.gates) {
    if (gate.margin) return gate.margin;
  }
  return asked;
}

std::string note_of(const RatioAxis& axis, std::size_t drawn, std::size_t all) {
  std::string note =
      "Left of the line takes less time, right of it more. Bars: intervals; an arrow "
      "where one leaves the plot.";
  if (axis.margin()) {
    note += fmt::format(" Dashed: the margin, {} more time.", base::format_level(*axis.margin()));
  }
  if (drawn < all) note += fmt::format(" The first {} of {} comparisons.", drawn, all);
  return note;
}

std::string forest_title(const std::vector<Comparison>& all) {
  const auto told = std::count_if(all.begin(), all.end(),
                                  [](const Comparison& each) { return each.significant; });
  const bool tested = std::any_of(all.begin(), all.end(),
                                  [](const Comparison& each) { return each.ratio.ci.has_value(); });
  if (!tested) return "Too few visits to test a difference";
  if (told == 0) return "No significant difference";
  if (all.size() == 1) {
    const Comparison& only = all.front();
    return fmt::format("{} takes {} {} time than {}", only.other,
                       percent(std::abs(only.ratio.value - 1)),
                       only.ratio.value > 1 ? "more" : "less", only.base);
  }
  return fmt::format("{} of {} comparisons show a difference", told, all.size());
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
  const RatioAxis axis(drawn, margin_of(summary, margin));
  std::string rows;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    rows += row_html(drawn[i], verdict_of(drawn[i], check_of(summary, i)), axis);
  }
  return fmt::format(
      "<figure class=\"chart forest\" id=\"chart-forest\">\n<figcaption><h3>{}</h3></figcaption>\n"
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Ratios of times\">"
      "<table>\n<thead><tr><th scope=\"col\" class=\"words\">compared</th>"
      "<th scope=\"col\" class=\"words\">less time &#8592; &#8594; more time</th>"
      "<th scope=\"col\">time ratio</th><th scope=\"col\" class=\"words\">verdict</th></tr></thead>"
      "\n<tbody>\n{}{}</tbody>\n</table></div>\n<p class=\"note\">{}</p>\n</figure>\n",
      html_text(forest_title(all)), rows, scale_html(axis),
      html_text(note_of(axis, drawn.size(), all.size())));
}

}  // namespace batchscope::report
