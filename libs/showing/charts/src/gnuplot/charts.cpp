#include "batchscope/charts/charts.hpp"

#include <algorithm>
#include <array>

#include "chart_kinds.hpp"
#include "gnuplot.hpp"

namespace batchscope::charts {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;

constexpr std::array<const char*, 12> kNames = {"tuning_latency",
                                                "tuning_memory",
                                                "answer",
                                                "forward_pass_time",
                                                "forward_pass_efficiency",
                                                "forward_time_per_sample",
                                                "relative_slowdown",
                                                "residual",
                                                "forward_pass_boxplot",
                                                "throughput",
                                                "memory",
                                                "time_breakdown"};

std::vector<Chart> all_charts(const findings::Summary& summary, const ChartOptions& options) {
  const std::vector<findings::Group>& groups = summary.groups;
  std::vector<Chart> charts = line_charts(summary);
  for (Chart& chart : scatter_charts(summary, options.latency_budget_ms)) {
    charts.push_back(std::move(chart));
  }
  for (const auto& chart : {residual_chart(summary), box_chart(groups), memory_chart(groups),
                            breakdown_chart(groups)}) {
    if (chart) charts.push_back(*chart);
  }
  const auto place = [](const Chart& chart) {
    return std::find(kNames.begin(), kNames.end(), chart.name);
  };
  std::stable_sort(charts.begin(), charts.end(),
                   [&](const Chart& a, const Chart& b) { return place(a) < place(b); });
  return charts;
}

}  // namespace

base::Result<std::vector<fs::path>> write_charts(const findings::Summary& summary,
                                                 const fs::path& folder,
                                                 const ChartOptions& options) {
  const std::vector<Chart> charts = all_charts(summary, options);
  if (charts.empty()) {
    return Error{ErrorKind::failed, "there is nothing to draw: no configuration was measured",
                 "--charts", "look at the warnings of the analysis"};
  }
  return draw_charts(charts, kNames, folder, options);
}

}  // namespace batchscope::charts
