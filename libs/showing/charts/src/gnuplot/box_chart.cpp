#include <fmt/format.h>

#include <algorithm>

#include "batchscope/charts/box_window.hpp"
#include "batchscope/charts/chart_axis.hpp"
#include "chart_kinds.hpp"
#include "chart_style.hpp"

namespace batchscope::charts {
namespace {

using findings::ConfigRow;
using findings::Group;
using Rows = std::vector<ChartScript::Row>;

constexpr double kAllBoxes = 0.7;  // width of all boxes of one size, in steps between sizes

constexpr const char* kPointColour = "#333333";

std::string box_look(std::size_t group) {
  return box_style(group) + " lw 1.2";
}

// Where the boxes of a group stand within the room of a size.
struct Place {
  double offset;
  double width;
};

Place place_of(std::size_t group, std::size_t groups) {
  const double each = kAllBoxes / static_cast<double>(groups);
  return {(static_cast<double>(group) + 0.5) * each - kAllBoxes / 2, std::min(0.4, 0.8 * each)};
}

struct Boxes {
  Rows boxes, medians, points, above, below;
};

Boxes boxes_of(const Group& group, const SizeAxis& axis, const Place& place, BoxScale scale,
               const BoxWindow& window) {
  Boxes result;
  for (const ConfigRow& row : group.rows) {
    if (!has_spread(row)) continue;
    const findings::Distribution& d = row.distribution;
    const auto y = [&](double ms) { return number(ms / box_divisor(row, scale)); };
    const double centre = axis.position(row.config.shape.batch_size) + place.offset;
    const std::string x = number(centre);
    // A whisker ends at a sample, which may lie within the box.
    result.boxes.push_back({x, y(d.q1_ms), y(std::min(d.whisker_low_ms, d.q1_ms)),
                            y(std::max(d.whisker_high_ms, d.q3_ms)), y(d.q3_ms),
                            number(place.width)});
    result.medians.push_back(
        {number(centre - place.width / 2), y(d.median_ms), number(place.width)});
    for (const double point : d.points_ms) {
      if (point >= d.whisker_low_ms && point <= d.whisker_high_ms) continue;
      const double at = point / box_divisor(row, scale);
      if (at > window.high) {
        result.above.push_back({x, number(window.high)});
      } else if (at < window.low) {
        result.below.push_back({x, number(window.low)});
      } else {
        result.points.push_back({x, number(at)});
      }
    }
  }
  return result;
}

// Boxes one beside the other for each group, then what lies outside of them.
bool draw_group(ChartScript& script, const Boxes& boxes, std::size_t group) {
  const std::string mark = fmt::format("lc rgb '{}'", kPointColour);
  script.draw(boxes.boxes, fmt::format("using 1:2:3:4:5:6 with candlesticks whiskerbars 0.6 {}",
                                       box_look(group)));
  script.draw(boxes.medians, "using 1:2:3:(0) with vectors nohead lw 2 lc rgb '#111111'");
  script.draw(boxes.points,
              fmt::format("with points pt {} ps 0.7 lw 1.2 {}", series_style(group).hollow, mark));
  script.draw(boxes.above, fmt::format("with points pt {} ps 1.3 {}", kUpwards, mark));
  script.draw(boxes.below, fmt::format("with points pt {} ps 1.3 {}", kDownwards, mark));
  return !boxes.above.empty() || !boxes.below.empty();
}

}  // namespace

std::optional<Chart> box_chart(const std::vector<Group>& groups) {
  if (box_window(groups, BoxScale::sample).empty()) return {};
  const BoxScale scale = box_scale(groups);
  const BoxWindow window = box_window(groups, scale);
  const SizeAxis axis(groups, SizeAxis::Spacing::even);
  const SeriesNames names = series_names(groups);
  ChartScript script;
  set_frame(script, box_title(scale), names.common, box_axis_title(scale));
  script.command(axis.commands(kAxisPixels));
  script.command(window.axis().commands({.ratio = scale == BoxScale::median}));
  bool further_out = false;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Boxes boxes = boxes_of(groups[g], axis, place_of(g, groups.size()), scale, window);
    further_out = draw_group(script, boxes, g) || further_out;
    script.legend("with boxes " + box_look(g),
                  groups.size() == 1 ? "middle half, line: median" : names.own[g]);
  }
  script.legend(fmt::format("with points pt {} ps 0.7 lw 1.2 lc rgb '{}'", series_style(0).hollow,
                            kPointColour),
                "beyond 1.5 x the box");
  if (further_out) {
    script.legend(fmt::format("with points pt {} ps 1.3 lc rgb '{}'", kUpwards, kPointColour),
                  "further out than the axis");
  }
  const int height = kChartHeight + set_legend(script);
  script.plot();
  return Chart{"forward_pass_boxplot", kChartWidth, height, script.take()};
}

}  // namespace batchscope::charts
