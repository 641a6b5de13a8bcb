#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/base/counted.hpp"
#include "batchscope/charts/chart_axis.hpp"
#include "batchscope/charts/plan_charts.hpp"
#include "chart_style.hpp"
#include "gnuplot.hpp"

namespace batchscope::charts {
namespace {

constexpr std::array<const char*, 1> kPlanNames = {"latency_by_load"};

using planning::CapacityPlan;
using planning::LoadPoint;

bool has_p99(const CapacityPlan& plan) {
  return std::any_of(plan.curves.begin(), plan.curves.end(), [](const planning::LoadCurve& curve) {
    return std::any_of(curve.points.begin(), curve.points.end(),
                       [](const LoadPoint& point) { return point.p99_ms.has_value(); });
  });
}

class PlanChart {
 public:
  explicit PlanChart(const CapacityPlan& plan) : plan_(plan), p99_(has_p99(plan)) {}

  std::optional<Chart> make() {
    measure();
    if (values_.empty()) return {};
    const std::string quantile = p99_ ? "p99" : "p50";
    set_frame(script_, "Latency by load",
              fmt::format("{}, {}, {}", schema::describe(plan_.config), plan_.arrivals,
                          base::counted(plan_.instances, "instance")),
              quantile + " of the latency (ms)");
    script_.command("set xlabel 'requests per second' offset character 0,0.3");
    script_.command(fmt::format("set xrange [0:{}]", number(1.04 * fastest_)));
    script_.command(values_.commands({.logarithmic = true}));
    add_marks();
    for (std::size_t c = 0; c < plan_.curves.size(); ++c) add_curve(c);
    const int height = kChartHeight + set_legend(script_);
    script_.plot();
    return Chart{kPlanNames.front(), kChartWidth, height, script_.take()};
  }

 private:
  std::optional<double> value(const LoadPoint& point) const {
    return p99_ ? point.p99_ms : point.p50_ms;
  }

  void measure() {
    fastest_ = plan_.rate_per_s;
    for (const planning::LoadCurve& curve : plan_.curves) {
      for (const LoadPoint& point : curve.points) {
        if (value(point)) values_.include(*value(point));
        fastest_ = std::max(fastest_, point.rate_per_s);
      }
    }
    if (!values_.empty() && bound()) values_.include(*plan_.p99_ms);
  }

  bool bound() const { return p99_ && plan_.p99_ms; }

  void add_marks() {
    script_.command(fmt::format("set arrow 1 from {0}, graph 0 to {0}, graph 1 nohead {1}",
                                number(plan_.rate_per_s), kReferenceLine));
    script_.legend(fmt::format("with lines {}", kReferenceLine),
                   fmt::format("planned: {:.4g} requests per second{}", plan_.rate_per_s,
                               bound() ? fmt::format(", p99 {:.4g} ms", *plan_.p99_ms) : ""));
    if (!bound()) return;
    const std::string y = number(*plan_.p99_ms);
    script_.draw({{"0", y}, {number(1.04 * fastest_), y}},
                 fmt::format("with lines {}", kReferenceLine));
  }

  void add_curve(std::size_t index) {
    const SeriesStyle& style = series_style(index);
    std::vector<ChartScript::Row> rows;
    for (const LoadPoint& point : plan_.curves[index].points) {
      if (value(point)) rows.push_back({number(point.rate_per_s), number(*value(point))});
    }
    const std::string look = fmt::format("with linespoints lc rgb '{}' lw 2 {} pt {} ps 1.1",
                                         style.colour, style.dash, style.filled);
    script_.draw(rows, look);
    const bool recommended = plan_.recommended && *plan_.recommended == index;
    script_.legend(look, plan_.curves[index].policy + (recommended ? " (recommended)" : ""));
  }

  const CapacityPlan& plan_;
  bool p99_;
  ChartScript script_;
  ValueAxis values_;
  double fastest_ = 0;
};

}  // namespace

base::Result<std::vector<std::filesystem::path>> write_plan_charts(
    const CapacityPlan& plan, const std::filesystem::path& folder, const ChartOptions& options) {
  auto chart = PlanChart(plan).make();
  if (!chart) {
    return base::Error{base::ErrorKind::failed, "there is nothing to draw: no load was simulated",
                       "--charts", "ask for a rate that the instances can sustain"};
  }
  return draw_charts({*std::move(chart)}, kPlanNames, folder, options);
}

}  // namespace batchscope::charts
