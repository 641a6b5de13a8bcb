#include <algorithm>
#include <nlohmann/json.hpp>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/charts/fitted_law.hpp"
#include "batchscope/charts/residuals.hpp"
#include "batchscope/charts/series.hpp"
#include "html_charts.hpp"

namespace batchscope::report {
namespace {

using charts::kTolerance;
using charts::Residual;
using charts::residual_title;
using charts::residuals;
using charts::ResidualSeries;
using charts::series_names;
using charts::series_style;
using charts::SeriesNames;
using charts::signed_percent;
using findings::Summary;

int64_t size_of(const Residual& residual) {
  return residual.row->config.shape.batch_size;
}

Json residual_json(const Residual& residual) {
  const findings::Estimate& beyond = residual.beyond;
  Json point = {{"size", size_of(residual)},
                {"value", 100 * beyond.value},
                {"verdict", to_string(residual.row->verdict)},
                {"text", signed_percent(beyond) + " against the law"}};
  if (beyond.ci) {
    point["low"] = 100 * beyond.ci->low;
    point["high"] = 100 * beyond.ci->high;
  }
  if (residual.stand_out) point["mark"] = residual.stand_out->is_slow() ? "slow" : "fast";
  return point;
}

Json tolerance_json(const std::vector<ResidualSeries>& all) {
  int64_t low = size_of(all.front().points.front()), high = low;
  for (const ResidualSeries& series : all) {
    low = std::min(low, size_of(series.points.front()));
    high = std::max(high, size_of(series.points.back()));
  }
  Json points = Json::array();
  for (const int64_t size : {low, high}) {
    points.push_back({size, 0, -100 * kTolerance, 100 * kTolerance});
  }
  return {{"name", "the law"}, {"band", charts::tolerance_words()}, {"points", std::move(points)}};
}

}  // namespace

std::vector<Json> html_residual_chart(const Summary& summary) {
  const std::vector<ResidualSeries> all = residuals(summary);
  if (all.empty()) return {};
  const SeriesNames names = series_names(summary.groups);
  const bool alone = summary.groups.size() == 1;
  Json series = Json::array();
  for (const ResidualSeries& each : all) {
    const std::size_t g = each.group;
    series.push_back({{"name", alone ? "measured" : shown_name(names.own[g])},
                      {"style", g},
                      {"colour", series_style(g).colour},
                      {"dash", g},
                      {"hollow", false},
                      {"points", base::mapped(each.points, residual_json)}});
  }
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
               {"curves", Json::array({tolerance_json(all)})},
               {"series", std::move(series)}}};
}

}  // namespace batchscope::report
