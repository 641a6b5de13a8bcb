#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/charts/fitted_law.hpp"
#include "batchscope/charts/intervals.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/charts/stand_outs.hpp"
#include "batchscope/findings/wording.hpp"
#include "html_charts.hpp"

namespace batchscope::report {
namespace {

using charts::kFewestForIntervals;
using charts::kTolerance;
using charts::law_residual;
using charts::residual_title;
using charts::series_names;
using charts::series_style;
using charts::SeriesNames;
using charts::signed_percent;
using charts::stand_out_at;
using charts::stand_outs;
using charts::StandOut;
using findings::ConfigRow;
using findings::Group;
using findings::Summary;

// A law of two coefficients goes through two sizes, and nearly through three.
constexpr std::size_t kFewestSizes = 4;

Json point_json(const ConfigRow& row, const findings::Estimate& residual,
                const StandOut* stand_out) {
  Json point = {{"size", row.config.shape.batch_size},
                {"value", 100 * residual.value},
                {"verdict", to_string(row.verdict)},
                {"text", signed_percent(residual) + " against the law"}};
  if (residual.ci && row.n >= kFewestForIntervals) {
    point["low"] = 100 * residual.ci->low;
    point["high"] = 100 * residual.ci->high;
  }
  if (stand_out != nullptr) point["mark"] = stand_out->is_slow() ? "slow" : "fast";
  return point;
}

Json points_json(const Summary& summary, const Group& group) {
  const std::vector<StandOut> notable = stand_outs(summary, group);
  Json points = Json::array();
  for (const ConfigRow& row : group.rows) {
    const auto residual = law_residual(group, row);
    if (!residual) return Json::array();
    points.push_back(
        point_json(row, *residual, stand_out_at(notable, row.config.shape.batch_size)));
  }
  return points;
}

Json tolerance_json(const std::vector<Group>& groups) {
  int64_t low = groups.front().rows.front().config.shape.batch_size, high = low;
  for (const Group& group : groups) {
    low = std::min(low, group.rows.front().config.shape.batch_size);
    high = std::max(high, group.rows.back().config.shape.batch_size);
  }
  Json points = Json::array();
  for (const int64_t size : {low, high}) {
    points.push_back({size, 0, -100 * kTolerance, 100 * kTolerance});
  }
  return {{"name", "the law"},
          {"band", fmt::format("±{}", findings::percent(kTolerance))},
          {"points", std::move(points)}};
}

}  // namespace

std::vector<Json> html_residual_chart(const Summary& summary) {
  std::vector<Group> fitted;
  const SeriesNames names = series_names(summary.groups);
  Json series = Json::array();
  for (std::size_t g = 0; g < summary.groups.size(); ++g) {
    const Group& group = summary.groups[g];
    if (group.rows.size() < kFewestSizes) continue;
    Json points = points_json(summary, group);
    if (points.empty()) continue;
    fitted.push_back(group);
    series.push_back({{"name", summary.groups.size() == 1 ? "measured" : shown_name(names.own[g])},
                      {"style", g},
                      {"colour", series_style(g).colour},
                      {"dash", g},
                      {"hollow", false},
                      {"points", std::move(points)}});
  }
  if (fitted.empty()) return {};
  return {Json{{"kind", "line"},
               {"id", "residual"},
               {"place", places::kMain},
               {"title", residual_title(summary)},
               {"axis", "time beyond what the law gives (%)"},
               {"note",
                "The law is fitted to the sizes that no split beats; sizes inside the band are "
                "never called anomalies."},
               {"logarithmic", false},
               {"fromZero", false},
               {"decimals", 0},
               {"sharedReference", true},
               {"stems", true},
               {"curves", Json::array({tolerance_json(fitted)})},
               {"series", std::move(series)}}};
}

}  // namespace batchscope::report
