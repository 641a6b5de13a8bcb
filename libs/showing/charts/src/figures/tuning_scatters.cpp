#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/charts/memory_kinds.hpp"
#include "batchscope/charts/scatter.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/tuning.hpp"

namespace batchscope::charts {
namespace {

using findings::latency_title;
using findings::plain;
using findings::TunedPoint;
using findings::Tuning;

// One of the two: what stands across, and its bound.
struct Across {
  const char* id;
  const char* beside;  // "latency"
  std::string axis;
  double unit;  // of TunedPoint, in that of the axis
  std::optional<ScatterBound> bound;
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
  Across across{"tuning_latency",      "latency", latency_title(tuning) + " per batch (ms)", 1, {},
                &tuning.latency_front, latency_of};
  if (tuning.latency_budget_ms) {
    across.bound = {*tuning.latency_budget_ms,
                    fmt::format("budget {:.4g} ms", *tuning.latency_budget_ms)};
  }
  return across;
}

Across across_memory(const Tuning& tuning) {
  double most = 0;
  for (const TunedPoint& point : tuning.points) most = std::max(most, memory_of(point).value_or(0));
  const bool large = most >= kGibibyte;
  Across across{"tuning_memory",
                "memory",
                large ? "peak memory (GiB)" : "peak memory (MiB)",
                large ? kGibibyte : kMebibyte,
                {},
                &tuning.memory_front,
                memory_of};
  if (tuning.memory_limit_bytes) {
    across.bound = {static_cast<double>(*tuning.memory_limit_bytes) / across.unit,
                    "limit " + base::format_bytes(*tuning.memory_limit_bytes)};
  }
  return across;
}

std::string tuned_text(const TunedPoint& point, bool on_front) {
  std::string text =
      fmt::format("{} samples/s, {} ms", plain(point.throughput_per_s), plain(point.latency_ms));
  if (point.memory_bytes) text += ", " + base::format_bytes(*point.memory_bytes);
  text += fmt::format(", {}", base::counted(point.visits, "visit"));
  if (!point.left_out.empty()) {
    text += ", excluded";
  } else if (!point.feasible) {
    text += ", beyond the bounds";
  }
  return on_front ? text + "; Pareto-optimal" : text;
}

ScatterMark tuned_mark(const Tuning& tuning, std::size_t place) {
  const bool picked = place == tuning.pick && !tuning.undecided;
  if (picked) return tuning.feasible ? ScatterMark::recommended : ScatterMark::nearest;
  return place == tuning.standard ? ScatterMark::standard : ScatterMark::none;
}

// What stands beside a point: the batch size of what is worth looking at.
std::string tuned_label(const TunedPoint& point, ScatterMark mark, bool on_front) {
  const int64_t size = point.config.shape.batch_size;
  switch (mark) {
    case ScatterMark::recommended:
      return fmt::format("batch {}, recommended", size);
    case ScatterMark::nearest:
      return fmt::format("batch {}, nearest", size);
    case ScatterMark::standard:
      return fmt::format("batch {}, default", size);
    case ScatterMark::slow:
    case ScatterMark::disturbed:
    case ScatterMark::none:
      break;
  }
  return on_front ? std::to_string(size) : "";
}

// In the order of tuning_style().
constexpr std::size_t kOutside = 0, kBeaten = 1, kFront = 2;

std::vector<ScatterLook> tuning_style() {
  return {{"beyond the bounds, or excluded", kFaintColour, 0, true},
          {"measured", kFaintColour, 0},
          {"Pareto-optimal", series_style(0).colour, 0, false, true}};
}

std::vector<ScatterPoint> points_of(const Tuning& tuning, const Across& across) {
  std::vector<ScatterPoint> points;
  for (std::size_t place = 0; place < tuning.points.size(); ++place) {
    const TunedPoint point = reported_point(tuning, place);
    const auto value = across.value(point);
    if (!value) continue;
    const bool on_front = base::contains(*across.front, place);
    const bool outside = !point.feasible || !point.left_out.empty();
    const std::size_t beaten = outside ? kOutside : kBeaten;
    const ScatterMark mark = tuned_mark(tuning, place);
    points.push_back({*value / across.unit,
                      point.throughput_per_s,
                      {},
                      point.setting,
                      tuned_label(point, mark, on_front),
                      tuned_text(point, on_front),
                      on_front ? kFront : beaten,
                      mark});
  }
  return points;
}

}  // namespace

std::vector<Scatter> tuning_scatters(const Tuning& tuning) {
  std::vector<Scatter> all;
  for (const Across& across : {across_latency(tuning), across_memory(tuning)}) {
    Scatter scatter{.id = across.id,
                    .title = tuning_title(tuning, across.beside),
                    .subtitle = tuning.run,
                    .across = across.axis,
                    .up = "throughput (samples/s)",
                    .note = fmt::format(
                        "{} of {} measured; numbers: batch sizes. Up and to the left is better.",
                        tuning.points_measured, base::counted(tuning.points_total, "point")),
                    .styles = tuning_style(),
                    .points = points_of(tuning, across),
                    .bound = {}};
    if (scatter.points.size() < 2) continue;
    finish(scatter, across.bound);
    all.push_back(std::move(scatter));
  }
  return all;
}

}  // namespace batchscope::charts
