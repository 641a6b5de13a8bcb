#include <fmt/format.h>

#include <cmath>

#include "batchscope/charts/chart_axis.hpp"
#include "batchscope/charts/scatter.hpp"
#include "chart_kinds.hpp"
#include "chart_style.hpp"

namespace batchscope::charts {
namespace {

using Rows = std::vector<ChartScript::Row>;

constexpr std::size_t kLongestLabel = 40;

// One picture of measured settings by two measures.
class ScatterPicture {
 public:
  explicit ScatterPicture(const Scatter& scatter) : scatter_(scatter) {
    for (const ScatterPoint& point : scatter.points) {
      across_.include(point.x);
      up_.include(findings::Estimate{point.y, point.interval});
    }
    if (scatter.bound) across_.include(scatter.bound->value);
    up_ends_ = up_.ends(kLook);
  }

  Chart make() {
    set_frame(script_, scatter_.title, scatter_.subtitle, scatter_.up);
    script_.command("set xlabel " + label(scatter_.across) + " offset character 0,0.3");
    script_.command(across_.commands(kLook, 'x'));
    script_.command(up_.commands(kLook));
    add_bound();
    for (std::size_t look = 0; look < scatter_.looks.size(); ++look) add_look(look);
    add_intervals();
    add_marks();
    add_labels();
    const int height = kChartHeight + set_legend(script_);
    script_.plot();
    return Chart{scatter_.id, kChartWidth, height, script_.take()};
  }

 private:
  static constexpr ValueAxis::Look kLook{.logarithmic = true};

  static ChartScript::Row at(const ScatterPoint& point) {
    return {number(point.x), number(point.y)};
  }

  void add_bound() {
    if (!scatter_.bound) return;
    const std::string x = number(scatter_.bound->value);
    script_.draw({{x, number(up_ends_.low)}, {x, number(up_ends_.high)}},
                 fmt::format("with lines {}", kReferenceLine));
    script_.legend(fmt::format("with lines {}", kReferenceLine), scatter_.bound->text);
  }

  void add_look(std::size_t index) {
    const ScatterLook& look = scatter_.looks[index];
    Rows rows;
    for (const ScatterPoint& point : scatter_.points) {
      if (point.look == index) rows.push_back(at(point));
    }
    if (rows.empty()) return;
    const SeriesStyle& style = series_style(look.style);
    const std::string points = fmt::format("lc rgb '{}' pt {} ps 1.3", look.colour,
                                           look.hollow ? style.hollow : style.filled);
    const std::string how = look.joined ? "with linespoints lw 2 " : "with points lw 1.5 ";
    script_.draw(rows, how + points);
    script_.legend(how + points, look.name);
  }

  void add_intervals() {
    std::vector<Bar> bars;
    for (const ScatterPoint& point : scatter_.points) {
      if (point.interval) bars.push_back({point.x, point.y, *point.interval});
    }
    if (draw_bars(script_, bars, up_ends_, kFaintColour)) add_clipped_legend(script_);
  }

  void add_marks() {
    Rows slow;
    for (const ScatterPoint& point : scatter_.points) {
      if (point.mark == ScatterMark::slow) slow.push_back(at(point));
    }
    const std::string anomaly = fmt::format("with points lc rgb '{}' pt 7 ps 1.5", kAnomalyColour);
    script_.draw(slow, anomaly);
    if (!slow.empty()) script_.legend(anomaly, "proven anomaly");
    for (const ScatterPoint& point : scatter_.points) {
      const bool standard = point.mark == ScatterMark::standard;
      const bool pick =
          point.mark == ScatterMark::recommended || point.mark == ScatterMark::nearest;
      if (!standard && !pick) continue;
      script_.draw({at(point)}, fmt::format("with points lc rgb '{}' pt {} ps 2.8 lw 2.2",
                                            pick ? kPickColour : "#333333", pick ? 6 : 4));
    }
  }

  // Towards the middle, so that no label leaves the picture.
  void add_labels() {
    const stats::Interval ends = across_.ends(kLook);
    const bool log = across_.logarithmic();
    const double middle = log ? std::sqrt(ends.low * ends.high) : (ends.low + ends.high) / 2;
    for (const bool right : {false, true}) {
      Rows rows;
      for (const ScatterPoint& point : scatter_.points) {
        if (point.label.empty() || (point.x > middle) != right) continue;
        rows.push_back({number(point.x), number(point.y), label(point.label, kLongestLabel)});
      }
      script_.draw(rows, fmt::format("using 1:2:3 with labels {} offset character {},0.9 font "
                                     "'sans-serif,10' tc rgb '#222222'",
                                     right ? "right" : "left", right ? "-0.6" : "0.6"));
    }
  }

  const Scatter& scatter_;
  ChartScript script_;
  ValueAxis across_, up_;
  stats::Interval up_ends_;
};

}  // namespace

std::vector<Chart> scatter_charts(const findings::Summary& summary,
                                  std::optional<double> budget_ms) {
  std::vector<Scatter> all;
  // Of several searches the page has all.
  if (!summary.tunings.empty()) all = tuning_scatters(summary.tunings.front());
  if (all.empty()) {
    if (auto answer = answer_scatter(summary, budget_ms)) all.push_back(*std::move(answer));
  }
  std::vector<Chart> charts;
  for (const Scatter& scatter : all) charts.push_back(ScatterPicture(scatter).make());
  return charts;
}

}  // namespace batchscope::charts
