#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "batchscope/charts/series.hpp"
#include "batchscope/findings/numbers.hpp"
#include "html_charts.hpp"
#include "tables/operations_table.hpp"

namespace batchscope::report {
namespace {

using charts::series_names;
using charts::series_style;
using charts::SeriesNames;
using findings::brief;
using findings::Diagnostics;
using findings::Group;
using findings::OperationRow;

// As many as there are colours.
constexpr std::size_t kMostSeries = 6;

Json points_json(const OperationRow& row, const Diagnostics& diagnostics, const SampleUnit& unit) {
  Json points = Json::array();
  for (std::size_t at = 0; at < diagnostics.sizes.size(); ++at) {
    const auto value = per_sample(row, diagnostics.sizes, at, unit);
    if (!value || *value <= 0) continue;
    points.push_back({{"size", diagnostics.sizes[at].batch_size},
                      {"value", *value},
                      {"verdict", to_string(findings::Verdict::ok)},
                      {"text", fmt::format("{} {}, {} calls per iteration", brief(*value),
                                           unit.name, brief(row.at[at]->calls))}});
  }
  return points;
}

Json series_json(const Diagnostics& diagnostics, const SampleUnit& unit) {
  Json all = Json::array();
  for (const OperationRow& row : diagnostics.operations) {
    if (all.size() == kMostSeries) break;
    Json points = points_json(row, diagnostics, unit);
    if (points.empty()) continue;
    const std::size_t style = all.size();
    all.push_back({{"name", shown_name(row.name)},
                   {"style", style},
                   {"colour", series_style(style).colour},
                   {"dash", style},
                   {"hollow", false},
                   {"points", std::move(points)}});
  }
  return all;
}

Json chart_json(const Diagnostics& diagnostics, const std::string& id, const std::string& title) {
  const SampleUnit unit = sample_unit(diagnostics.operations, diagnostics.sizes);
  return {{"kind", "line"},
          {"id", id},
          {"place", places::kMore},
          {"title", title},
          {"axis", fmt::format("self time per sample ({})", unit.name)},
          {"note",
           "From diagnostic visits: inflated by the tracer, so compare them only between batch "
           "sizes. The largest change comes first."},
          {"logarithmic", true},
          {"fromZero", true},
          {"decimals", 0},
          {"sharedReference", true},
          {"series", series_json(diagnostics, unit)}};
}

}  // namespace

std::vector<Json> html_operation_charts(const std::vector<Group>& groups) {
  std::vector<const Group*> diagnosed;
  std::vector<std::string> names;
  const SeriesNames all = series_names(groups);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!groups[g].diagnostics || groups[g].diagnostics->sizes.size() < 2) continue;
    diagnosed.push_back(&groups[g]);
    names.push_back(all.own[g]);
  }
  const std::string title = "Operators and kernels that change most between batch sizes";
  std::vector<Json> charts;
  for (std::size_t i = 0; i < diagnosed.size(); ++i) {
    const bool alone = diagnosed.size() == 1;
    Json chart = chart_json(*diagnosed[i]->diagnostics,
                            alone ? "operations" : fmt::format("operations_{}", i + 1),
                            groups.size() == 1 ? title : title + ": " + shown_name(names[i]));
    if (!chart["series"].empty()) charts.push_back(std::move(chart));
  }
  return charts;
}

}  // namespace batchscope::report
