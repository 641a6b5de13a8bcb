#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/counted.hpp"
#include "batchscope/charts/scatter.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/planning/plan.hpp"

namespace batchscope::charts {
namespace {

using planning::CapacityPlan;
using planning::LoadCurve;
using planning::LoadPoint;

bool has_p99(const CapacityPlan& plan) {
  return std::any_of(plan.curves.begin(), plan.curves.end(), [](const LoadCurve& curve) {
    return std::any_of(curve.points.begin(), curve.points.end(),
                       [](const LoadPoint& point) { return point.p99_ms.has_value(); });
  });
}

void add_curve(Scatter& scatter, const CapacityPlan& plan, std::size_t index, bool p99) {
  const LoadCurve& curve = plan.curves[index];
  const bool recommended = plan.recommended && *plan.recommended == index;
  scatter.styles.push_back({curve.policy + (recommended ? " (recommended)" : ""),
                            series_style(index).colour, index, false, true});
  for (const LoadPoint& point : curve.points) {
    const auto& latency_ms = p99 ? point.p99_ms : point.p50_ms;
    if (!latency_ms) continue;
    scatter.points.push_back({point.rate_per_s,
                              *latency_ms,
                              {},
                              curve.policy,
                              "",
                              fmt::format("{} ms at {} requests/s", findings::plain(*latency_ms),
                                          findings::plain(point.rate_per_s)),
                              index});
  }
}

}  // namespace

std::optional<Scatter> plan_scatter(const CapacityPlan& plan) {
  const bool p99 = has_p99(plan);
  Scatter scatter{
      .id = "latency_by_load",
      .title = "Latency by load",
      .subtitle = fmt::format("{}, {}, {}", schema::describe(plan.config), plan.arrivals,
                              base::counted(plan.instances, "instance")),
      .across = "requests per second",
      .up = fmt::format("{} of the latency (ms)", p99 ? "p99" : "p50"),
      .note = "",
      .styles = {},
      .points = {},
      .bound = ScatterBound{plan.rate_per_s,
                            fmt::format("planned: {:.4g} requests per second", plan.rate_per_s)},
      .linear = true};
  if (p99 && plan.p99_ms) {
    scatter.level = ScatterBound{*plan.p99_ms, fmt::format("p99 {:.4g} ms", *plan.p99_ms)};
  }
  for (std::size_t i = 0; i < plan.curves.size(); ++i) add_curve(scatter, plan, i, p99);
  if (scatter.points.empty()) return {};
  return scatter;
}

}  // namespace batchscope::charts
