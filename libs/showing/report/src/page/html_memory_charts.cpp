#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "batchscope/base/units.hpp"
#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/charts/fitted_law.hpp"
#include "batchscope/charts/memory_kinds.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/findings/wording.hpp"
#include "html_charts.hpp"

namespace batchscope::report {
namespace {

using charts::kGibibyte;
using charts::kMemoryKinds;
using charts::largest_peak;
using charts::memory_title;
using charts::memory_unit;
using charts::MemoryKind;
using charts::near_memory_limit;
using charts::series_names;
using charts::series_style;
using charts::SeriesNames;
using charts::sizes_along;
using findings::ConfigRow;
using findings::Group;
using findings::percent;

Json point_json(const ConfigRow& row, double value, const std::string& text) {
  return {{"size", row.config.shape.batch_size},
          {"value", value},
          {"verdict", to_string(findings::Verdict::ok)},
          {"text", text}};
}

Json chart_json(const char* id, const char* place, const std::string& title, const char* axis) {
  return {
      {"kind", "line"},   {"id", id},      {"place", place},          {"title", title},
      {"axis", axis},     {"note", ""},    {"curves", Json::array()}, {"logarithmic", false},
      {"fromZero", true}, {"decimals", 0}, {"sharedReference", true}, {"series", Json::array()}};
}

Json series_json(const std::string& name, std::size_t style, std::size_t dash, bool hollow) {
  return {{"name", name}, {"style", style},   {"colour", series_style(style).colour},
          {"dash", dash}, {"hollow", hollow}, {"points", Json::array()}};
}

// The line through the peaks of a table alone, and what they have to stay under where that is near.
void add_limit(Json& chart, const std::vector<Group>& groups, double unit) {
  if (groups.size() != 1 || groups.front().memory_laws.empty()) return;
  const findings::MemoryLaw& law = groups.front().memory_laws.front();
  Json points = Json::array();
  for (const double size : sizes_along(groups.front())) {
    const double value = (law.base_bytes + law.per_sample_bytes * size) / unit;
    points.push_back({size, value, value, value});
  }
  if (groups.front().rows.size() > 2) {
    chart["curves"].push_back(
        {{"name", "line through them"}, {"band", ""}, {"points", std::move(points)}});
  }
  if (!law.limit_bytes) return;
  const std::string words =
      fmt::format("limit {}{}", base::format_bytes(*law.limit_bytes),
                  law.limit_of.empty() ? "" : " (" + shown_name(law.limit_of) + ")");
  const auto limit = static_cast<double>(*law.limit_bytes);
  if (near_memory_limit(groups)) {
    chart["limit"] = {{"value", limit / unit}, {"text", words}};
  } else {
    chart["note"] = fmt::format("The {} is {:.0f} times as much, beyond the axis.", words,
                                limit / largest_peak(groups));
  }
}

Json peak_chart(const std::vector<Group>& groups) {
  const SeriesNames names = series_names(groups);
  const double unit = memory_unit(groups);
  Json chart = chart_json("memory", places::kMain, memory_title(groups),
                          unit == kGibibyte ? "peak memory (GiB)" : "peak memory (MiB)");
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t k = 0; k < kMemoryKinds.size(); ++k) {
      const MemoryKind& kind = kMemoryKinds[k];
      const bool alone = groups.size() == 1;
      Json series = series_json(alone ? kind.title : shown_name(names.own[g] + ": " + kind.title),
                                alone ? k : g, k, !alone && k > 0);
      for (const ConfigRow& row : groups[g].rows) {
        const auto bytes = row.memory.*kind.bytes;
        if (!bytes) continue;
        series["points"].push_back(
            point_json(row, static_cast<double>(*bytes) / unit, base::format_bytes(*bytes)));
      }
      if (!series["points"].empty()) chart["series"].push_back(std::move(series));
    }
  }
  add_limit(chart, groups, unit);
  return chart;
}

Json fragmentation_chart(const std::vector<Group>& groups) {
  const SeriesNames names = series_names(groups);
  Json chart =
      chart_json("fragmentation", places::kMore, "Fragmentation of device memory, lower is better",
                 "reserved but not allocated at the peak (%)");
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Json series =
        series_json(groups.size() == 1 ? "measured" : shown_name(names.own[g]), g, g, false);
    for (const ConfigRow& row : groups[g].rows) {
      if (!row.fragmentation) continue;
      series["points"].push_back(
          point_json(row, 100 * *row.fragmentation, percent(*row.fragmentation)));
    }
    if (!series["points"].empty()) chart["series"].push_back(std::move(series));
  }
  return chart;
}

}  // namespace

std::vector<Json> html_memory_charts(const std::vector<Group>& groups) {
  std::vector<Json> charts = {peak_chart(groups), fragmentation_chart(groups)};
  std::erase_if(charts, [](const Json& chart) { return chart.at("series").empty(); });
  return charts;
}

}  // namespace batchscope::report
