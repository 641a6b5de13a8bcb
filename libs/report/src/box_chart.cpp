#include <fmt/format.h>

#include <algorithm>

#include "chart_axis.hpp"
#include "chart_kinds.hpp"
#include "chart_style.hpp"

namespace batchscope::report {
namespace {

using schema::ConfigRow;
using schema::Group;
using Rows = std::vector<ChartScript::Row>;

constexpr double kAllBoxes = 0.7;  // width of all boxes of one size, in steps between sizes

// Where the boxes of a group stand within the room of a size.
struct Place {
  double offset;
  double width;
};

Place place_of(std::size_t group, std::size_t groups) {
  const double each = kAllBoxes / static_cast<double>(groups);
  return {(static_cast<double>(group) + 0.5) * each - kAllBoxes / 2, std::min(0.4, 0.8 * each)};
}

// What the times are divided by, so that boxes of all sizes fit one axis.
enum class Scale { sample, median };

double divisor(const ConfigRow& row, Scale scale) {
  if (scale == Scale::median) return row.distribution.median_ms;
  return static_cast<double>(row.config.shape.batch_size);
}

// One iteration tells nothing of a spread.
bool has_spread(const ConfigRow& row) {
  return row.n_iterations > 1 && row.distribution.median_ms > 0;
}

struct Boxes {
  Rows boxes, medians, points;
};

Boxes boxes_of(const Group& group, const SizeAxis& axis, const Place& place, Scale scale) {
  Boxes result;
  for (const ConfigRow& row : group.rows) {
    if (!has_spread(row)) continue;
    const schema::Distribution& d = row.distribution;
    const auto y = [&](double ms) { return number(ms / divisor(row, scale)); };
    const double centre = axis.position(row.config.shape.batch_size) + place.offset;
    const std::string x = number(centre);
    result.boxes.push_back({x, y(d.q1_ms), y(d.whisker_low_ms), y(d.whisker_high_ms), y(d.q3_ms),
                            number(place.width)});
    result.medians.push_back(
        {number(centre - place.width / 2), y(d.median_ms), number(place.width)});
    for (const double point : d.points_ms) {
      const bool outside = point < d.whisker_low_ms || point > d.whisker_high_ms;
      if (outside) result.points.push_back({x, y(point)});
    }
  }
  return result;
}

ValueAxis value_axis(const std::vector<Group>& groups, Scale scale) {
  ValueAxis values;
  for (const Group& group : groups) {
    for (const ConfigRow& row : group.rows) {
      if (!has_spread(row)) continue;
      values.include(row.distribution.min_ms / divisor(row, scale));
      values.include(row.distribution.max_ms / divisor(row, scale));
    }
  }
  return values;
}

}  // namespace

std::optional<Chart> box_chart(const std::vector<Group>& groups) {
  ValueAxis values = value_axis(groups, Scale::sample);
  if (values.empty()) return {};
  // On a logarithmic axis of levels the boxes would be flat lines.
  const Scale scale = values.logarithmic() ? Scale::median : Scale::sample;
  if (scale == Scale::median) values = value_axis(groups, scale);
  const SizeAxis axis(groups, SizeAxis::Spacing::even);
  const SeriesNames names = series_names(groups);
  ChartScript script;
  if (scale == Scale::sample) {
    set_frame(script, "Spread of single iterations, per sample", names.common,
              "time of an iteration / batch size (ms)");
  } else {
    set_frame(script, "Spread of single iterations around their median", names.common,
              "time / median of the configuration (ratio)");
  }
  script.command(axis.commands(kAxisPixels));
  script.command(values.commands({.ratio = scale == Scale::median}));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const SeriesStyle& style = series_style(g);
    const Boxes boxes = boxes_of(groups[g], axis, place_of(g, groups.size()), scale);
    const std::string box = fmt::format("{} lw 1.2", box_style(g));
    script.draw(boxes.boxes, "using 1:2:3:4:5:6 with candlesticks whiskerbars 0.6 " + box);
    script.draw(boxes.medians, "using 1:2:3:(0) with vectors nohead lw 2 lc rgb '#111111'");
    script.draw(boxes.points,
                fmt::format("with points pt {} ps 0.7 lw 1.2 lc rgb '#333333'", style.hollow));
    const std::string name = groups.size() == 1 ? "middle half, line: median" : names.own[g];
    script.legend("with boxes " + box, name);
  }
  script.legend(
      fmt::format("with points pt {} ps 0.7 lw 1.2 lc rgb '#333333'", series_style(0).hollow),
      "beyond 1.5 x the box (whiskers end before)");
  const int height = kChartHeight + set_legend(script);
  script.plot();
  return Chart{"forward_pass_boxplot", kChartWidth, height, script.take()};
}

}  // namespace batchscope::report
