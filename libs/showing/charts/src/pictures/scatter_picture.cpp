#include <string>

#include "batchscope/charts/pictures.hpp"
#include "batchscope/charts/scale.hpp"
#include "batchscope/charts/series.hpp"
#include "svg/palette.hpp"
#include "svg/sheet.hpp"

namespace batchscope::charts {
namespace {

constexpr double kHeightOfScatter = 390;
constexpr Stroke kBound{kReferenceColour, "8 6", 1.6};

Axis axis_of(const std::string& title, const ValueAxis& values, bool logarithmic, bool from_zero) {
  const bool log = logarithmic && values.logarithmic();
  const stats::Interval ends = values.ends({.logarithmic = log, .from_zero = from_zero});
  return {title, ends, log ? logarithmic_ticks(ends) : round_ticks(ends), log};
}

class ScatterPicture {
 public:
  explicit ScatterPicture(const Scatter& scatter)
      : scatter_(scatter), sheet_(scatter.title, scatter.subtitle), panel_(panel()) {}

  std::string draw() {
    if (scatter_.bound) panel_.upright(scatter_.bound->value, kBound);
    if (scatter_.level) panel_.level(scatter_.level->value, kBound);
    for (const ScatterPoint& point : scatter_.points) {
      if (point.interval) panel_.interval(point.x, *point.interval, kFaintColour);
    }
    for (std::size_t look = 0; look < scatter_.styles.size(); ++look) add_look(look);
    for (const ScatterPoint& point : scatter_.points) add_point(point);
    sheet_.add(panel_);
    for (const auto& bound : {scatter_.bound, scatter_.level}) {
      if (bound) sheet_.legend(bound->text, kBound);
    }
    return sheet_.finish(scatter_.note);
  }

 private:
  Panel panel() {
    ValueAxis across, up;
    for (const ScatterPoint& point : scatter_.points) {
      across.include(point.x);
      up.include(point.y);
      if (point.interval) up.include(*point.interval);
    }
    if (scatter_.bound) across.include(scatter_.bound->value);
    if (scatter_.level) up.include(scatter_.level->value);
    const Axis upright = axis_of(scatter_.up, up, scatter_.logarithmic_up(), false);
    const Frame frame = sheet_.next(kHeightOfScatter, upright.ticks);
    return {frame, axis_of(scatter_.across, across, scatter_.logarithmic_across(), scatter_.linear),
            upright};
  }

  Marker marker_of(const ScatterLook& look) const {
    return {series_style(look.style).shape, look.colour, look.hollow};
  }
  Stroke stroke_of_look(const ScatterLook& look) const {
    return {look.colour, series_style(look.style).dash};
  }

  void add_look(std::size_t index) {
    const ScatterLook& look = scatter_.styles[index];
    std::vector<Spot> line;
    for (const ScatterPoint& point : scatter_.points) {
      if (point.look == index) line.push_back({point.x, point.y});
    }
    if (line.empty()) return;
    if (look.joined) {
      panel_.line(line, stroke_of_look(look));
      sheet_.legend(look.name, stroke_of_look(look), marker_of(look));
    } else {
      sheet_.legend(look.name, marker_of(look));
    }
  }

  void add_point(const ScatterPoint& point) {
    const Spot at{point.x, point.y};
    const bool slow = point.mark == ScatterMark::slow || point.mark == ScatterMark::disturbed;
    const bool pick = point.mark == ScatterMark::recommended || point.mark == ScatterMark::nearest;
    const bool ringed = pick || point.mark == ScatterMark::standard;
    Marker marker = marker_of(scatter_.styles[point.look]);
    if (slow) marker.colour = kAnomalyColour;
    panel_.point(at, marker, point.name + ": " + point.text);
    if (ringed) panel_.ring(at, pick ? kPickColour : series_style(5).colour, !pick);
    if (point.label.empty()) return;
    const std::string colour = slow ? fill_of(kAnomalyColour) : "ink";
    const bool strong = ringed || slow;
    panel_.label(at, point.label, strong ? colour + " strong" : colour, strong, ringed ? 12 : 7);
  }

  const Scatter& scatter_;
  Sheet sheet_;
  Panel panel_;
};

}  // namespace

std::string picture(const Scatter& scatter) {
  return ScatterPicture(scatter).draw();
}

}  // namespace batchscope::charts
