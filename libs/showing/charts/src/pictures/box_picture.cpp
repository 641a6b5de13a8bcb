#include <algorithm>
#include <array>
#include <string>

#include "batchscope/charts/pictures.hpp"
#include "batchscope/charts/scale.hpp"
#include "batchscope/charts/series.hpp"
#include "svg/palette.hpp"
#include "svg/sheet.hpp"

namespace batchscope::charts {
namespace {

constexpr double kHeightOfBoxes = 390;
constexpr double kAllBoxes = 0.7;  // width of all boxes of one size, in steps between sizes
constexpr std::array<const char*, 3> kOpacities = {"opacity=\"0.5\"", "opacity=\"0.3\"",
                                                   "opacity=\"0.7\""};
constexpr const char* kThin = "stroke-width=\"1.2\"";

std::vector<int64_t> sizes_of(const BoxFigure& figure) {
  std::vector<int64_t> sizes;
  for (const BoxSeries& series : figure.series) {
    for (const Box& box : series.boxes) sizes.push_back(box.size);
  }
  return sizes;
}

// Points have six digits, of which the last may lie beyond the whisker that ends at it.
bool is_within(double point, const Box& box) {
  constexpr double kRounding = 1e-5;
  return point >= box.low * (1 - kRounding) && point <= box.high * (1 + kRounding);
}

class BoxPicture {
 public:
  explicit BoxPicture(const BoxFigure& figure)
      : figure_(figure),
        axis_(sizes_of(figure), SizeAxis::Spacing::even),
        sheet_(figure.texts.title, figure.texts.subtitle),
        panel_(panel()) {}

  std::string draw() {
    for (std::size_t i = 0; i < figure_.series.size(); ++i) {
      for (const Box& box : figure_.series[i].boxes) add_box(box, i);
    }
    sheet_.add(panel_);
    for (std::size_t i = 0; i < figure_.series.size(); ++i) {
      sheet_.legend(figure_.series[i].name, [&](Svg& svg, Spot at) {
        add_rectangle(svg, i, {at.x - 16, at.y - 6}, {at.x + 16, at.y + 6});
      });
    }
    return sheet_.finish(
        "Box: quartiles, line: median, whiskers: last iteration within 1.5 x the box. Points: "
        "iterations beyond. Arrows: beyond the axis.");
  }

 private:
  Panel panel() {
    ValueAxis values;
    values.include(figure_.window.low);
    values.include(figure_.window.high);
    const stats::Interval ends = values.ends({.ratio = figure_.ratio});
    const Axis up{figure_.texts.axis, ends, round_ticks(ends)};
    const Frame frame = sheet_.next(kHeightOfBoxes, up.ticks);
    return {frame, {"batch size (samples)", axis_.ends(), axis_.ticks(frame.width())}, up};
  }

  void add_rectangle(Svg& svg, std::size_t series, Spot from, Spot to) const {
    const std::string d = path_through({from, {to.x, from.y}, to, {from.x, to.y}}) + "Z";
    svg.path(fill_of(series_style(figure_.series[series].style).colour), d,
             kOpacities[series % kOpacities.size()]);
    svg.path("line ink-line", d, kThin);
  }

  void add_box(const Box& box, std::size_t series) {
    const double each = kAllBoxes / static_cast<double>(figure_.series.size());
    const double at = axis_.position(static_cast<double>(box.size)) +
                      (static_cast<double>(series) + 0.5) * each - kAllBoxes / 2;
    const double half = std::min(0.4, 0.8 * each) / 2;
    const double left = panel_.x(at - half), right = panel_.x(at + half), centre = panel_.x(at);
    const auto y = [&](double value) { return panel_.up().held(value); };
    Svg& svg = panel_.inside();
    svg.add("<g class=\"box\">");
    svg.title("batch " + std::to_string(box.size) + ": " + box.text);
    add_rectangle(svg, series, {left, y(box.q3)}, {right, y(box.q1)});
    const double cap = 0.5 * (right - centre);
    svg.path("line ink-line",
             path_through({{centre, y(box.q1)}, {centre, y(box.low)}}) +
                 path_through({{centre, y(box.q3)}, {centre, y(box.high)}}) +
                 path_through({{centre - cap, y(box.low)}, {centre + cap, y(box.low)}}) +
                 path_through({{centre - cap, y(box.high)}, {centre + cap, y(box.high)}}),
             kThin);
    svg.path("line ink-line median", path_through({{left, y(box.median)}, {right, y(box.median)}}),
             "stroke-width=\"2.4\"");
    svg.add("</g>\n");
    for (const double point : box.points) {
      if (is_within(point, box)) continue;
      svg.circle("line ink-line", {centre, y(point)}, 2.4);
    }
    if (box.above > 0) add_arrow(centre, y(figure_.window.high), 1);
    if (box.below > 0) add_arrow(centre, y(figure_.window.low), -1);
  }

  void add_arrow(double x, double y, double direction) {
    panel_.inside().path(
        "ink",
        path_through({{x - 5, y + 8 * direction}, {x, y}, {x + 5, y + 8 * direction}}) + "Z");
  }

  const BoxFigure& figure_;
  SizeAxis axis_;
  Sheet sheet_;
  Panel panel_;
};

}  // namespace

std::string picture(const BoxFigure& figure) {
  return BoxPicture(figure).draw();
}

}  // namespace batchscope::charts
