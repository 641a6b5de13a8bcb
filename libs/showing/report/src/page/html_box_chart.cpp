#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "batchscope/base/counted.hpp"
#include "batchscope/charts/box_window.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/findings/numbers.hpp"
#include "html_charts.hpp"

namespace batchscope::report {
namespace {

using charts::box_axis_title;
using charts::box_divisor;
using charts::box_scale;
using charts::box_title;
using charts::box_window;
using charts::BoxScale;
using charts::BoxWindow;
using charts::has_spread;
using charts::series_names;
using charts::series_style;
using charts::SeriesNames;
using findings::ConfigRow;
using findings::Distribution;
using findings::Group;
using findings::plain;

constexpr std::size_t kMostPoints = 12000;  // of the whole page
constexpr std::size_t kMostPointsABox = 1000;

// Drawn on a few hundred pixels; more digits would only make the page larger.
double rounded(double value) {
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

// The samples that are drawn: of those within the whiskers evenly picked ones, and what lies
// outside.
std::vector<double> drawn_ms(const Distribution& d, std::size_t most) {
  std::vector<double> within;
  for (const double sample : d.samples_ms) {
    if (sample >= d.whisker_low_ms && sample <= d.whisker_high_ms) within.push_back(sample);
  }
  std::vector<double> drawn;
  const std::size_t count = std::min(most, within.size());
  for (std::size_t i = 0; i < count; ++i) {
    drawn.push_back(within[count == 1 ? 0 : i * (within.size() - 1) / (count - 1)]);
  }
  for (const double point : d.points_ms) {
    if (point < d.whisker_low_ms || point > d.whisker_high_ms) drawn.push_back(point);
  }
  return drawn;
}

std::string box_text(const ConfigRow& row) {
  const Distribution& d = row.distribution;
  return fmt::format(
      "median {} ms, middle half {} to {} ms, whiskers {} to {} ms, {}, "
      "{} beyond",
      plain(d.median_ms), plain(d.q1_ms), plain(d.q3_ms), plain(d.whisker_low_ms),
      plain(d.whisker_high_ms), base::counted(row.n_iterations, "iteration"),
      d.mild_outliers + d.extreme_outliers);
}

Json box_json(const ConfigRow& row, BoxScale scale, const BoxWindow& window, std::size_t most,
              std::size_t& drawn) {
  const Distribution& d = row.distribution;
  const double unit = box_divisor(row, scale);
  Json points = Json::array();
  int above = 0, below = 0;
  const std::vector<double> samples = drawn_ms(d, most);
  for (const double sample : samples) {
    const double at = sample / unit;
    if (at > window.high) {
      ++above;
    } else if (at < window.low) {
      ++below;
    } else {
      points.push_back(rounded(at));
    }
  }
  drawn += samples.size();
  // A whisker ends at a sample, which may lie within the box.
  return {{"size", row.config.shape.batch_size},
          {"low", std::min(d.whisker_low_ms, d.q1_ms) / unit},
          {"q1", d.q1_ms / unit},
          {"median", d.median_ms / unit},
          {"q3", d.q3_ms / unit},
          {"high", std::max(d.whisker_high_ms, d.q3_ms) / unit},
          {"points", std::move(points)},
          {"above", above},
          {"below", below},
          {"text", box_text(row)}};
}

struct Totals {
  std::size_t boxes = 0;
  int64_t iterations = 0;
};

Totals totals_of(const std::vector<Group>& groups) {
  Totals totals;
  for (const Group& group : groups) {
    for (const ConfigRow& row : group.rows) {
      if (!has_spread(row)) continue;
      ++totals.boxes;
      totals.iterations += row.n_iterations;
    }
  }
  return totals;
}

std::string note(std::size_t drawn, int64_t iterations) {
  const char* marks =
      "Box: middle half, line: median, whiskers: last iteration within 1.5 x the box.";
  if (static_cast<int64_t>(drawn) >= iterations) {
    return fmt::format("{} Points: all {} timed iterations. Arrows: further out than the axis.",
                       marks, iterations);
  }
  return fmt::format(
      "{} Points: {} of {} timed iterations, evenly picked from the sorted times; boxes, whiskers "
      "and all tables are computed from every one. Arrows: further out than the axis.",
      marks, drawn, iterations);
}

}  // namespace

std::vector<Json> html_box_chart(const std::vector<Group>& groups) {
  const Totals totals = totals_of(groups);
  if (totals.boxes == 0) return {};
  const BoxScale scale = box_scale(groups);
  const BoxWindow window = box_window(groups, scale);
  const SeriesNames names = series_names(groups);
  const std::size_t most = std::min(kMostPointsABox, kMostPoints / totals.boxes);
  std::size_t drawn = 0;
  Json series = Json::array();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Json boxes = Json::array();
    for (const ConfigRow& row : groups[g].rows) {
      if (has_spread(row)) boxes.push_back(box_json(row, scale, window, most, drawn));
    }
    series.push_back({{"name", groups.size() == 1 ? "measured" : shown_name(names.own[g])},
                      {"style", g},
                      {"colour", series_style(g).colour},
                      {"boxes", std::move(boxes)}});
  }
  return {Json{{"kind", "box"},
               {"id", "forward_pass_boxplot"},
               {"place", places::kMore},
               {"title", box_title(scale)},
               {"axis", box_axis_title(scale)},
               {"note", note(drawn, totals.iterations)},
               {"logarithmic", window.axis().logarithmic()},
               {"decimals", scale == BoxScale::median ? 2 : 0},
               {"bottom", window.low},
               {"top", window.high},
               {"series", std::move(series)}}};
}

}  // namespace batchscope::report
