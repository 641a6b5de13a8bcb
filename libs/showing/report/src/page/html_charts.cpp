#include "html_charts.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>

#include "batchscope/base/characters.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::report {
namespace {

constexpr std::size_t kLongestName = 90;

// What a reader wants first.
constexpr std::array<std::string_view, 10> kOrder = {
    "tuning",     "answer",       "sizes",          "residual",
    "visits",     "memory",       "time_breakdown", "forward_pass_boxplot",
    "operations", "fragmentation"};

std::ptrdiff_t place_of(const Json& chart) {
  const std::string id = chart.at("id").get<std::string>();
  const auto found = std::find_if(kOrder.begin(), kOrder.end(),
                                  [&](std::string_view name) { return id.starts_with(name); });
  return found - kOrder.begin();
}

void append(std::vector<Json>& charts, std::vector<Json> made) {
  std::move(made.begin(), made.end(), std::back_inserter(charts));
}

}  // namespace

std::string shown_name(const std::string& raw) {
  const std::string name = base::shorten(base::clean(raw), kLongestName);
  return name.empty() ? "unnamed" : name;
}

Json html_charts(const findings::Summary& summary, std::span<const schema::RunFile> runs) {
  std::vector<Json> charts = html_tuning_charts(summary.tunings);
  // A search has drawn every point already.
  if (charts.empty()) append(charts, html_answer_chart(summary, runs));
  append(charts, html_line_charts(summary));
  append(charts, html_residual_chart(summary));
  append(charts, html_visits_charts(runs));
  for (auto* make :
       {html_box_chart, html_breakdown_charts, html_operation_charts, html_memory_charts}) {
    append(charts, make(summary.groups));
  }
  std::stable_sort(charts.begin(), charts.end(),
                   [](const Json& a, const Json& b) { return place_of(a) < place_of(b); });
  return charts;
}

}  // namespace batchscope::report
