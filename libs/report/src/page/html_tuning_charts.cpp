#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/units.hpp"
#include "charts/memory_kinds.hpp"
#include "document/numbers.hpp"
#include "html_charts.hpp"
#include "sections/tuning_section.hpp"

namespace batchscope::report {
namespace {

using findings::TunedPoint;
using findings::Tuning;

// Where one is so much of the other, points crowd at the low end of a linear axis.
constexpr double kWide = 4;

// One chart: what stands across, and its bound.
struct Across {
  const char* id;
  const char* title;
  std::string axis;
  double unit;  // of TunedPoint, in that of the axis
  std::optional<double> bound;
  std::string bound_words;
  const std::vector<std::size_t>* front;
  std::optional<double> (*value)(const TunedPoint&);
};

std::optional<double> latency_of(const TunedPoint& point) {
  return point.latency_ms;
}

std::optional<double> memory_of(const TunedPoint& point) {
  if (!point.memory_bytes) return std::nullopt;
  return static_cast<double>(*point.memory_bytes);
}

Across across_latency(const Tuning& tuning) {
  Across across{"tuning_latency",
                "Throughput against latency",
                latency_title(tuning) + " of a batch (ms)",
                1,
                tuning.latency_budget_ms,
                "",
                &tuning.latency_front,
                latency_of};
  if (across.bound) across.bound_words = fmt::format("budget {:.4g} ms", *across.bound);
  return across;
}

Across across_memory(const Tuning& tuning) {
  double most = 0;
  for (const TunedPoint& point : tuning.points) most = std::max(most, memory_of(point).value_or(0));
  const bool large = most >= kGibibyte;
  Across across{"tuning_memory",
                "Throughput against memory",
                large ? "peak memory (GiB)" : "peak memory (MiB)",
                large ? kGibibyte : kMebibyte,
                std::nullopt,
                "",
                &tuning.memory_front,
                memory_of};
  if (tuning.memory_limit_bytes) {
    across.bound = static_cast<double>(*tuning.memory_limit_bytes);
    across.bound_words = "limit " + base::format_bytes(*tuning.memory_limit_bytes);
  }
  return across;
}

std::string point_text(const TunedPoint& point) {
  std::string text =
      fmt::format("{} samples/s, {} ms", plain(point.throughput_per_s), plain(point.latency_ms));
  if (point.memory_bytes) text += ", " + base::format_bytes(*point.memory_bytes);
  text += fmt::format(", {} visit{}", point.visits, point.visits == 1 ? "" : "s");
  if (!point.left_out.empty()) return text + ", not chosen from";
  return point.feasible ? text : text + ", beyond the bounds";
}

const char* mark_of(const Tuning& tuning, std::size_t place) {
  if (place == tuning.pick) return tuning.feasible ? "recommended" : "nearest";
  return place == tuning.standard ? "default" : "";
}

Json points_json(const Tuning& tuning, const Across& across) {
  Json points = Json::array();
  for (std::size_t place = 0; place < tuning.points.size(); ++place) {
    const TunedPoint& point = tuning.points[place];
    const auto value = across.value(point);
    if (!value) continue;
    const bool on_front = base::contains(*across.front, place);
    points.push_back({{"x", *value / across.unit},
                      {"y", point.throughput_per_s},
                      {"name", shown_name(point.setting)},
                      {"text", point_text(point)},
                      {"front", on_front},
                      {"outside", !point.feasible || !point.left_out.empty()},
                      {"mark", mark_of(tuning, place)}});
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const Json& a, const Json& b) { return a["x"] < b["x"]; });
  return points;
}

bool is_wide(const Json& points, const char* axis) {
  double low = 1e300, high = 0;
  for (const Json& point : points) {
    low = std::min(low, point[axis].get<double>());
    high = std::max(high, point[axis].get<double>());
  }
  return high > kWide * low;
}

// A bound far from all points would squeeze them into a corner.
bool is_near(double bound, const Json& points) {
  constexpr double kFar = 3;
  return bound <= kFar * points.back()["x"].get<double>() &&
         kFar * bound >= points.front()["x"].get<double>();
}

std::optional<Json> chart_of(const Tuning& tuning, const Across& across, const std::string& run) {
  Json points = points_json(tuning, across);
  if (points.size() < 2) return std::nullopt;
  Json chart = {{"kind", "scatter"},
                {"id", across.id + run},
                {"title", across.title},
                {"axis", "throughput (samples/s)"},
                {"note", fmt::format("{} of {} points measured. Up and to the left is better.",
                                     tuning.points_measured, tuning.points_total)},
                {"place", "tuning-charts"},
                {"across", across.axis},
                {"logarithmic", is_wide(points, "y")},
                {"logAcross", is_wide(points, "x")}};
  if (across.bound && is_near(*across.bound / across.unit, points)) {
    chart["bound"] = {{"value", *across.bound / across.unit}, {"text", across.bound_words}};
  } else if (across.bound) {
    chart["note"] = fmt::format("{} The {} is beyond the axis.", chart["note"].get<std::string>(),
                                across.bound_words);
  }
  chart["points"] = std::move(points);
  return chart;
}

}  // namespace

std::vector<Json> html_tuning_charts(const std::vector<Tuning>& tunings) {
  std::vector<Json> charts;
  for (std::size_t i = 0; i < tunings.size(); ++i) {
    const std::string run = i == 0 ? "" : fmt::format("_{}", i + 1);
    for (const Across& across : {across_latency(tunings[i]), across_memory(tunings[i])}) {
      auto chart = chart_of(tunings[i], across, run);
      if (!chart) continue;
      if (tunings.size() > 1) {
        (*chart)["title"] = fmt::format("{}: {}", shown_name(tunings[i].run), across.title);
      }
      charts.push_back(*std::move(chart));
    }
  }
  return charts;
}

}  // namespace batchscope::report
