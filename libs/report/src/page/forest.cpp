#include "forest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "batchscope/charts/intervals.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "render_html.hpp"

namespace batchscope::report {
namespace {

using charts::kFewestForIntervals;
using findings::Comparison;
using findings::inline_estimate;
using findings::percent;
using findings::Quantity;

constexpr double kPlotWidth = 320;  // of the plot, in units of its drawing
constexpr double kMiddle = 13;
constexpr double kLeastReach = 0.05;  // of the axis to either side of no difference
constexpr std::size_t kMostRows = 40;

// Ratios of times from left to right, logarithmic. Intervals never set it.
class Axis {
 public:
  Axis(const std::vector<Comparison>& comparisons, std::optional<double> margin) : margin_(margin) {
    double reach = std::log1p(kLeastReach);
    const auto include = [&](double ratio) { reach = std::max(reach, std::abs(std::log(ratio))); };
    for (const Comparison& each : comparisons) {
      if (each.ratio.value > 0) include(each.ratio.value);
    }
    if (margin_) include(1 + *margin_);
    reach_ = 1.25 * reach;
  }

  double place(double ratio) const {
    const double at = kPlotWidth / 2 * (1 + std::log(ratio) / reach_);
    return std::clamp(at, 4.0, kPlotWidth - 4);
  }
  bool is_beyond(double ratio) const { return !(ratio > 0) || std::abs(std::log(ratio)) > reach_; }
  std::optional<double> margin() const { return margin_; }
  double reach() const { return reach_; }

 private:
  std::optional<double> margin_;
  double reach_ = 0;
};

std::string lines(const Axis& axis) {
  std::string out = fmt::format("<path class=\"none\" d=\"M{:.1f} 0V26\"/>", axis.place(1));
  if (axis.margin()) {
    out +=
        fmt::format("<path class=\"margin\" d=\"M{:.1f} 0V26\"/>", axis.place(1 + *axis.margin()));
  }
  return out;
}

// The end of an interval: a cap, or an arrow where it leaves the plot.
std::string end_of(const Axis& axis, double ratio, int direction) {
  const double at = ratio > 0 ? axis.place(ratio) : 4;
  if (!axis.is_beyond(ratio)) return fmt::format("M{:.1f} {}v8", at, kMiddle - 4);
  return fmt::format("M{:.1f} {}l{} 5l{} 5", at - 6 * direction, kMiddle - 5, 6 * direction,
                     -6 * direction);
}

std::string plot_of(const Comparison& each, const Axis& axis) {
  std::string marks = lines(axis);
  if (each.ratio.ci && each.n >= kFewestForIntervals) {
    const double low = each.ratio.ci->low > 0 ? axis.place(each.ratio.ci->low) : 4;
    marks += fmt::format("<path class=\"interval\" d=\"M{:.1f} {}H{:.1f}{}{}\"/>", low, kMiddle,
                         axis.place(each.ratio.ci->high), end_of(axis, each.ratio.ci->low, -1),
                         end_of(axis, each.ratio.ci->high, 1));
  }
  const double at = each.ratio.value > 0 ? axis.place(each.ratio.value) : kPlotWidth / 2;
  marks += fmt::format("<rect class=\"point\" x=\"{:.1f}\" y=\"{}\" width=\"9\" height=\"9\"/>",
                       at - 4.5, kMiddle - 4.5);
  return fmt::format("<svg viewBox=\"0 0 {} 26\" aria-hidden=\"true\">{}</svg>", kPlotWidth, marks);
}

const char* row_look(const Comparison& each) {
  if (!each.significant) return "open";
  return each.ratio.value < 1 ? "faster" : "slower";
}

const char* verdict_of(const Comparison& each) {
  if (!each.significant) return "not told apart";
  return each.ratio.value < 1 ? "faster" : "slower";
}

std::string compared_name(const Comparison& each) {
  const int64_t size = each.config.shape.batch_size;
  return each.other + " against " + each.base + (size > 0 ? fmt::format(", batch {}", size) : "");
}

std::string row_html(const Comparison& each, const Axis& axis) {
  return fmt::format(
      "<tr class=\"{}\"><th scope=\"row\" class=\"words\">{}</th><td class=\"plot\">{}</td>"
      "<td>{}</td><td class=\"words\">{}</td></tr>\n",
      row_look(each), html_text(compared_name(each)), plot_of(each, axis),
      html_text(inline_estimate(each.ratio, Quantity::ratio)), verdict_of(each));
}

// Round shares of time on either side of no difference, as many as have room.
std::string scale_html(const Axis& axis) {
  double step = 0.01;
  for (const double wider : {0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0}) {
    if (axis.reach() / step > 2.4) step = wider;
  }
  std::string texts;
  for (const double ratio : {1 / (1 + step), 1.0, 1 + step}) {
    if (axis.is_beyond(ratio)) continue;
    texts += fmt::format("<text x=\"{:.1f}\" y=\"14\">{}</text>", axis.place(ratio),
                         findings::three_digits(ratio));
  }
  return fmt::format(
      "<tr class=\"scale\"><th scope=\"row\" class=\"words\">time ratio</th><td class=\"plot\">"
      "<svg viewBox=\"0 0 {} 18\" aria-hidden=\"true\">{}</svg></td><td></td><td></td></tr>\n",
      kPlotWidth, texts);
}

std::optional<double> margin_of(const findings::Summary& summary) {
  for (const findings::Gate& gate : summary.gates) {
    if (gate.margin) return gate.margin;
  }
  return {};
}

std::string forest_title(const std::vector<Comparison>& all) {
  const auto told = std::count_if(all.begin(), all.end(),
                                  [](const Comparison& each) { return each.significant; });
  if (told == 0) return "No difference between what was compared is shown";
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
  return !axis || *axis == schema::AxisId::model;
}

std::string forest_html(const findings::Summary& summary) {
  const std::vector<Comparison>& all = summary.comparisons;
  if (all.empty()) return "";
  const std::vector<Comparison> drawn(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kMostRows)));
  const Axis axis(drawn, margin_of(summary));
  std::string rows;
  for (const Comparison& each : drawn) rows += row_html(each, axis);
  std::string note =
      "Left of the line takes less time, right of it more. Bars: intervals; an arrow "
      "where one leaves the plot.";
  if (axis.margin()) note += fmt::format(" Dashed: the margin, {}.", percent(*axis.margin()));
  if (drawn.size() < all.size()) {
    note += fmt::format(" The first {} of {} comparisons.", drawn.size(), all.size());
  }
  return fmt::format(
      "<figure class=\"chart forest\" id=\"chart-forest\">\n<figcaption><h3>{}</h3></figcaption>\n"
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Ratios of times\">"
      "<table>\n<thead><tr><th scope=\"col\" class=\"words\">compared</th>"
      "<th scope=\"col\" class=\"words\">less time &#8592; &#8594; more time</th>"
      "<th scope=\"col\">time ratio</th><th scope=\"col\" class=\"words\">verdict</th></tr></thead>"
      "\n<tbody>\n{}{}</tbody>\n</table></div>\n<p class=\"note\">{}</p>\n</figure>\n",
      html_text(forest_title(all)), rows, scale_html(axis), html_text(note));
}

}  // namespace batchscope::report
