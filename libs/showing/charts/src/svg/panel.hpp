#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batchscope/charts/scale.hpp"
#include "batchscope/charts/svg.hpp"

namespace batchscope::charts {

struct Frame {
  double left = 0, top = 0, right = 0, bottom = 0;
  double width() const { return right - left; }
};

struct Axis {
  std::string title;  // untrusted
  stats::Interval ends;
  std::vector<AxisTick> ticks;
  bool logarithmic = false;
};

struct Stroke {
  std::string_view colour;
  std::string_view dash = "";
  double width = 2;
};

// A marker of that shape (series.hpp).
struct Marker {
  std::size_t shape = 0;
  std::string_view colour;
  bool hollow = false;
  double radius = 5;
};

// Within which what is held against a law agrees with it: x, low, high.
struct BandSpot {
  double x = 0, low = 0, high = 0;
};

void draw_line(Svg& svg, const std::vector<Spot>& places, const Stroke& stroke);
void draw_marker(Svg& svg, Spot place, const Marker& marker, std::string_view title = {});

// A plot with its axes. All is given in values of the axes; what comes later lies above.
class Panel {
 public:
  Panel(const Frame& frame, Axis across, Axis up);

  double x(double value) const { return across_scale_.at(value); }
  double y(double value) const { return up_scale_.at(value); }
  const Scale& across() const { return across_scale_; }
  const Scale& up() const { return up_scale_; }
  Svg& inside() { return inside_; }  // of the frame alone is shown what lies in it

  void line(const std::vector<Spot>& values, const Stroke& stroke);
  void level(double value, const Stroke& stroke);    // all the way across
  void upright(double value, const Stroke& stroke);  // from the bottom to the top
  void band(const std::vector<BandSpot>& spots);
  // Ends in a cap, or in an arrow where the axis ends first.
  void interval(double at, const stats::Interval& interval, std::string_view colour);
  void point(Spot value, const Marker& marker, std::string_view title);
  void ring(Spot value, std::string_view colour, bool square = false);
  // Beside its value, where it covers nothing; `strong` ones go first, and are never left out.
  void label(Spot value, std::string_view text, std::string_view look, bool strong, double away);

  std::string take();

 private:
  struct Area {
    double left, top, right, bottom;
  };
  struct Label {
    Spot at;
    std::string text, look;
    bool strong;
    double away;
  };

  void add_axes(Svg& svg) const;
  void add_labels(Svg& svg);
  void keep_free(const std::vector<Spot>& places);
  bool is_free(const Area& area) const;

  Frame frame_;
  Axis across_, up_;
  Scale across_scale_, up_scale_;
  Svg inside_;
  std::vector<Label> labels_;
  std::vector<Area> taken_;
};

}  // namespace batchscope::charts
