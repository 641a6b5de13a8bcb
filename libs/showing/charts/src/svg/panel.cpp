#include "panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "batchscope/base/characters.hpp"
#include "batchscope/charts/series.hpp"
#include "palette.hpp"

namespace batchscope::charts {
namespace {

constexpr double kCap = 4;       // half an interval's end
constexpr double kLetter = 7.6;  // of a label
constexpr double kLetterHeight = 13;
constexpr std::size_t kLongestLabel = 40;

using Corners = std::vector<Spot>;

// Each in a circle of about the radius 1.
const std::array<Corners, 6> kShapes = {
    {{},
     {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}},
     {{0, -1.15}, {1.1, 0.8}, {-1.1, 0.8}},
     {{0, -1.25}, {1.1, 0}, {0, 1.25}, {-1.1, 0}},
     {{0, 1.15}, {1.1, -0.8}, {-1.1, -0.8}},
     {{0, -1.1}, {1.05, -0.34}, {0.65, 0.9}, {-0.65, 0.9}, {-1.05, -0.34}}}};

std::string circle(double radius) {
  const std::string r = number(radius), wide = number(2 * radius);
  return fmt::format("M-{0} 0a{0} {0} 0 1 0 {1} 0a{0} {0} 0 1 0 -{1} 0Z", r, wide);
}

std::string outline(std::size_t shape, double radius) {
  Corners corners = kShapes[shape % kShapes.size()];
  if (corners.empty()) return circle(radius);
  for (Spot& corner : corners) corner = {radius * corner.x, radius * corner.y};
  return path_through(corners) + "Z";
}

std::string stroke_attributes(const Stroke& stroke) {
  std::string text = fmt::format("stroke-width=\"{}\"", number(stroke.width));
  if (!stroke.dash.empty()) text += fmt::format(" stroke-dasharray=\"{}\"", stroke.dash);
  return text;
}

Axis as_drawn(Axis axis) {
  std::erase_if(axis.ticks, [&](const AxisTick& tick) { return !axis.ends.contains(tick.value); });
  return axis;
}

}  // namespace

void draw_line(Svg& svg, const std::vector<Spot>& places, const Stroke& stroke) {
  svg.path("line " + stroke_of(stroke.colour), path_through(places), stroke_attributes(stroke));
}

void draw_marker(Svg& svg, Spot place, const Marker& marker, std::string_view title) {
  Svg inner;
  inner.path((marker.hollow ? "hollow " : fill_of(marker.colour) + " ") + stroke_of(marker.colour),
             outline(marker.shape, marker.radius), "stroke-width=\"1.5\"");
  if (!title.empty()) inner.title(title);
  svg.add(fmt::format("<g class=\"point\" transform=\"translate({} {})\">{}</g>\n", number(place.x),
                      number(place.y), inner.markup()));
}

Panel::Panel(const Frame& frame, Axis across, Axis up)
    : frame_(frame),
      across_(as_drawn(std::move(across))),
      up_(as_drawn(std::move(up))),
      across_scale_(across_.ends, frame.left, frame.right, across_.logarithmic),
      up_scale_(up_.ends, frame.bottom, frame.top, up_.logarithmic) {}

void Panel::line(const std::vector<Spot>& values, const Stroke& stroke) {
  std::vector<Spot> places;
  for (const Spot& value : values) places.push_back({x(value.x), y(value.y)});
  draw_line(inside_, places, stroke);
  if (stroke.dash.empty()) keep_free(places);
}

// Labels stay off a line: it takes small areas along its way.
void Panel::keep_free(const std::vector<Spot>& places) {
  constexpr double kStep = 8, kHalf = 1.5;
  for (std::size_t i = 1; i < places.size(); ++i) {
    const Spot& from = places[i - 1];
    const Spot way{places[i].x - from.x, places[i].y - from.y};
    const double steps = std::ceil(std::hypot(way.x, way.y) / kStep);
    for (double step = 0; step < steps && std::isfinite(steps); ++step) {
      const Spot at{from.x + way.x * step / steps, from.y + way.y * step / steps};
      taken_.push_back({at.x - kHalf, at.y - kHalf, at.x + kHalf, at.y + kHalf});
    }
  }
}

void Panel::level(double value, const Stroke& stroke) {
  line({{across_.ends.low, value}, {across_.ends.high, value}}, stroke);
}

void Panel::upright(double value, const Stroke& stroke) {
  line({{value, up_.ends.low}, {value, up_.ends.high}}, stroke);
}

void Panel::band(const std::vector<BandSpot>& spots) {
  std::vector<Spot> places;
  for (const BandSpot& spot : spots) places.push_back({x(spot.x), up_scale_.held(spot.low)});
  for (auto spot = spots.rbegin(); spot != spots.rend(); ++spot) {
    places.push_back({x(spot->x), up_scale_.held(spot->high)});
  }
  inside_.path(fill_of(kReferenceColour), path_through(places), "opacity=\"0.14\"");
}

void Panel::interval(double at, const stats::Interval& interval, std::string_view colour) {
  const double centre = x(at);
  const double low = up_scale_.held(interval.low), high = up_scale_.held(interval.high);
  const auto end = [&](double place, bool beyond, double direction) {
    const double back = beyond ? place + 7 * direction : place;
    return path_through({{centre - kCap, back}, {centre, place}, {centre + kCap, back}});
  };
  const std::string d = path_through({{centre, low}, {centre, high}}) +
                        end(low, up_scale_.is_below(interval.low), -1) +
                        end(high, up_scale_.is_above(interval.high), 1);
  inside_.path("line interval " + stroke_of(colour), d, stroke_attributes({colour, "", 1.6}));
  taken_.push_back({centre - kCap, high, centre + kCap, low});
}

void Panel::point(Spot value, const Marker& marker, std::string_view title) {
  const Spot at{x(value.x), y(value.y)};
  draw_marker(inside_, at, marker, title);
  const double half = marker.radius + 1;
  taken_.push_back({at.x - half, at.y - half, at.x + half, at.y + half});
}

void Panel::ring(Spot value, std::string_view colour, bool square) {
  const Spot at{x(value.x), y(value.y)};
  const double half = square ? 8.5 : 9.5;
  const std::string d = path_through({{at.x - half, at.y}}) +
                        (square ? fmt::format("v-{0}h{1}v{1}h-{1}Z", number(half), number(2 * half))
                                : fmt::format("a{0} {0} 0 1 0 {1} 0a{0} {0} 0 1 0 -{1} 0Z",
                                              number(half), number(2 * half)));
  inside_.path("line " + stroke_of(colour), d, "stroke-width=\"2.2\"");
  taken_.push_back({at.x - half, at.y - half, at.x + half, at.y + half});
}

void Panel::label(Spot value, std::string_view text, std::string_view look, bool strong,
                  double away) {
  labels_.push_back({{x(value.x), y(value.y)},
                     base::shorten(base::clean(text), kLongestLabel),
                     std::string(look),
                     strong,
                     away});
}

bool Panel::is_free(const Area& area) const {
  if (area.left < frame_.left || area.right > frame_.right + 12 || area.top < frame_.top - 6 ||
      area.bottom > frame_.bottom) {
    return false;
  }
  return std::none_of(taken_.begin(), taken_.end(), [&](const Area& other) {
    return area.left < other.right && other.left < area.right && area.top < other.bottom &&
           other.top < area.bottom;
  });
}

void Panel::add_labels(Svg& svg) {
  std::stable_partition(labels_.begin(), labels_.end(),
                        [](const Label& label) { return label.strong; });
  for (const Label& label : labels_) {
    const double width = kLetter * static_cast<double>(base::display_width(label.text));
    const double away = label.away, half = width / 2, middle = kLetterHeight / 2;
    // Its middle: right and above, right and below, left, above, below.
    const std::array<Spot, 6> offers = {{{away + half, -away - 2},
                                         {away + half, away + 2},
                                         {-away - half, -away - 2},
                                         {-away - half, away + 2},
                                         {0, -away - middle - 2},
                                         {0, away + middle + 2}}};
    const auto area_at = [&](const Spot& offer) {
      const Spot at{label.at.x + offer.x, label.at.y + offer.y};
      return Area{at.x - half, at.y - middle, at.x + half, at.y + middle};
    };
    const auto found = std::find_if(offers.begin(), offers.end(),
                                    [&](const Spot& offer) { return is_free(area_at(offer)); });
    if (found == offers.end() && !label.strong) continue;
    // On one side of its point at least there is room for it, whatever it covers.
    const bool right = label.at.x < (frame_.left + frame_.right) / 2;
    const Area area = area_at(found == offers.end() ? offers[right ? 0 : 2] : *found);
    taken_.push_back(area);
    svg.text("halo " + label.look, {(area.left + area.right) / 2, area.bottom - 2}, "middle",
             label.text);
  }
}

void Panel::add_axes(Svg& svg) const {
  for (const AxisTick& tick : up_.ticks) {
    const double at = y(tick.value);
    svg.path("line grid", path_through({{frame_.left, at}, {frame_.right, at}}));
    svg.text(fmt::format("{} tick-up", fill_of(kReferenceColour)), {frame_.left - 9, at + 4.5},
             "end", tick.text);
  }
  for (const AxisTick& tick : across_.ticks) {
    const double at = x(tick.value);
    svg.path(
        "line " + stroke_of(kFaintColour),
        path_through({{at, frame_.bottom}, {at, frame_.bottom + (tick.text.empty() ? 4 : 7)}}));
    if (tick.text.empty()) continue;
    svg.text(fmt::format("{} tick-across", fill_of(kReferenceColour)), {at, frame_.bottom + 22},
             "middle", tick.text);
  }
  svg.path("line " + stroke_of(kFaintColour), path_through({{frame_.left, frame_.top},
                                                            {frame_.left, frame_.bottom},
                                                            {frame_.right, frame_.bottom}}));
  svg.text("ink", {(frame_.left + frame_.right) / 2, frame_.bottom + 44}, "middle", across_.title);
  const Spot beside{18, (frame_.top + frame_.bottom) / 2};
  svg.text("ink", beside, "middle", up_.title,
           fmt::format("transform=\"rotate(-90 {} {})\"", number(beside.x), number(beside.y)));
}

std::string Panel::take() {
  Svg svg;
  add_axes(svg);
  // What leaves the frame is not shown.
  svg.add(
      fmt::format("<svg x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" viewBox=\"{0} {1} {2} "
                  "{3}\">\n{4}</svg>\n",
                  number(frame_.left), number(frame_.top), number(frame_.width()),
                  number(frame_.bottom - frame_.top), inside_.markup()));
  add_labels(svg);
  return svg.markup();
}

}  // namespace batchscope::charts
