#include "html_charts.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>

#include "document/characters.hpp"

namespace batchscope::report {
namespace {

constexpr std::size_t kLongestName = 90;

// What a reader wants first.
constexpr std::array<std::string_view, 11> kOrder = {"tuning",
                                                     "throughput",
                                                     "forward_time_per_sample",
                                                     "forward_pass_efficiency",
                                                     "relative_slowdown",
                                                     "forward_pass_time",
                                                     "forward_pass_boxplot",
                                                     "time_breakdown",
                                                     "operations",
                                                     "memory",
                                                     "fragmentation"};

std::ptrdiff_t place_of(const Json& chart) {
  const std::string id = chart.at("id").get<std::string>();
  const auto found = std::find_if(kOrder.begin(), kOrder.end(),
                                  [&](std::string_view name) { return id.starts_with(name); });
  return found - kOrder.begin();
}

}  // namespace

std::string shown_name(const std::string& raw) {
  return shorten(clean(raw), kLongestName);
}

Json html_charts(const findings::Summary& summary) {
  std::vector<Json> charts = html_tuning_charts(summary.tunings);
  for (auto* make : {html_line_charts, html_box_chart, html_breakdown_charts, html_operation_charts,
                     html_memory_charts}) {
    std::vector<Json> made = make(summary.groups);
    std::move(made.begin(), made.end(), std::back_inserter(charts));
  }
  std::stable_sort(charts.begin(), charts.end(),
                   [](const Json& a, const Json& b) { return place_of(a) < place_of(b); });
  return charts;
}

}  // namespace batchscope::report
