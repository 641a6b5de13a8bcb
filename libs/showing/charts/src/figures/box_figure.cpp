#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "batchscope/base/counted.hpp"
#include "batchscope/charts/figures.hpp"
#include "batchscope/charts/scale.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/findings/numbers.hpp"

namespace batchscope::charts {
namespace {

using findings::ConfigRow;
using findings::Distribution;
using findings::Group;
using findings::plain;

constexpr double kLeastBoxSpan = 0.02;      // of the axis, relative
constexpr std::size_t kMostPoints = 12000;  // of the whole page
constexpr std::size_t kMostPointsABox = 1000;

// What the times of a box are divided by, so that boxes of all sizes fit one axis.
enum class BoxScale { sample, median };

// What the axis spans: all boxes and whiskers, and as far again to either side, so that a stray
// iteration twenty times as long does not flatten what the chart is about.
struct BoxWindow {
  double low = 1e300;
  double high = -1e300;
  bool empty() const { return !(low <= high); }
  bool logarithmic() const {
    ValueAxis values;
    values.include(low);
    values.include(high);
    return values.logarithmic();
  }
};

// One iteration tells nothing of a spread.
bool has_spread(const ConfigRow& row) {
  return row.n_iterations > 1 && row.distribution.median_ms > 0;
}

double box_divisor(const ConfigRow& row, BoxScale scale) {
  if (scale == BoxScale::median) return row.distribution.median_ms;
  return static_cast<double>(row.config.shape.batch_size);
}

// Empty when no configuration has a spread.
BoxWindow box_window(const std::vector<Group>& groups, BoxScale scale) {
  BoxWindow whiskers, all;
  for (const Group& group : groups) {
    for (const ConfigRow& row : group.rows) {
      if (!has_spread(row)) continue;
      const findings::Distribution& d = row.distribution;
      const double unit = box_divisor(row, scale);
      whiskers.low = std::min(whiskers.low, std::min(d.whisker_low_ms, d.q1_ms) / unit);
      whiskers.high = std::max(whiskers.high, std::max(d.whisker_high_ms, d.q3_ms) / unit);
      all.low = std::min(all.low, d.min_ms / unit);
      all.high = std::max(all.high, d.max_ms / unit);
    }
  }
  if (whiskers.empty()) return whiskers;
  const double span = std::max(whiskers.high - whiskers.low, kLeastBoxSpan * whiskers.high);
  return {std::max(all.low, whiskers.low - span), std::min(all.high, whiskers.high + span)};
}

// Per sample, unless that needs a logarithmic axis, on which the boxes would be flat lines.
BoxScale box_scale(const std::vector<Group>& groups) {
  const bool logarithmic = box_window(groups, BoxScale::sample).logarithmic();
  return logarithmic ? BoxScale::median : BoxScale::sample;
}

const char* box_title(BoxScale scale) {
  return scale == BoxScale::sample ? "Spread of single iterations, per sample"
                                   : "Spread of single iterations around their median";
}

const char* box_axis_title(BoxScale scale) {
  return scale == BoxScale::sample ? "time of an iteration / batch size (ms)"
                                   : "time / median of the configuration (ratio)";
}

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
  return fmt::format("median {} ms, quartiles {} to {} ms, whiskers {} to {} ms, {}, {} beyond",
                     plain(d.median_ms), plain(d.q1_ms), plain(d.q3_ms), plain(d.whisker_low_ms),
                     plain(d.whisker_high_ms), base::counted(row.n_iterations, "iteration"),
                     d.mild_outliers + d.extreme_outliers);
}

Box box_of(const ConfigRow& row, BoxScale scale, const BoxWindow& window, std::size_t most) {
  const Distribution& d = row.distribution;
  const double unit = box_divisor(row, scale);
  // A whisker ends at a sample, which may lie within the box.
  Box box{.size = row.config.shape.batch_size,
          .low = std::min(d.whisker_low_ms, d.q1_ms) / unit,
          .q1 = d.q1_ms / unit,
          .median = d.median_ms / unit,
          .q3 = d.q3_ms / unit,
          .high = std::max(d.whisker_high_ms, d.q3_ms) / unit,
          .points = {},
          .text = box_text(row)};
  for (const double sample : drawn_ms(d, most)) {
    const double at = sample / unit;
    if (at > window.high) {
      ++box.above;
    } else if (at < window.low) {
      ++box.below;
    } else {
      box.points.push_back(rounded(at));
    }
  }
  return box;
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
      "Box: quartiles, line: median, whiskers: last iteration within 1.5 x the box.";
  if (static_cast<int64_t>(drawn) >= iterations) {
    return fmt::format("{} Points: all {} timed iterations. Arrows: beyond the axis.", marks,
                       iterations);
  }
  return fmt::format(
      "{} Points: {} of {} timed iterations, evenly spaced in the sorted times. Boxes, whiskers "
      "and tables use all iterations. Arrows: beyond the axis.",
      marks, drawn, iterations);
}

}  // namespace

std::optional<BoxFigure> box_figure(const std::vector<Group>& groups) {
  const Totals totals = totals_of(groups);
  if (totals.boxes == 0) return {};
  const BoxScale scale = box_scale(groups);
  const BoxWindow window = box_window(groups, scale);
  const SeriesNames names = series_names(groups);
  const std::size_t most = std::min(kMostPointsABox, kMostPoints / totals.boxes);
  BoxFigure figure{
      .texts = {"forward_pass_boxplot", box_title(scale), box_axis_title(scale), "", names.common},
      .logarithmic = window.logarithmic(),
      .ratio = scale == BoxScale::median,
      .window = {window.low, window.high}};
  std::size_t drawn = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    BoxSeries series{groups.size() == 1 ? "measured" : shown_name(names.own[g]), g};
    for (const ConfigRow& row : groups[g].rows) {
      if (!has_spread(row)) continue;
      series.boxes.push_back(box_of(row, scale, window, most));
      const Box& box = series.boxes.back();
      drawn += box.points.size() + box.above + box.below;
    }
    figure.series.push_back(std::move(series));
  }
  figure.texts.note = note(drawn, totals.iterations);
  return figure;
}

}  // namespace batchscope::charts
