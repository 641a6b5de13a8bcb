#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/charts/svg.hpp"
#include "panel.hpp"

namespace batchscope::charts {

inline constexpr double kSheetWidth = 960;

// A picture that stands alone: titles, panels one below the other, a legend and a note.
class Sheet {
 public:
  // Both are untrusted.
  Sheet(std::string_view title, std::string_view subtitle);

  // Where a panel of that height goes, whose upright axis has such ticks; `heading` above it.
  Frame next(double height, const std::vector<AxisTick>& ticks, std::string_view heading = {});
  void add(Panel& panel) { svg_.add(panel.take()); }
  // `draw` draws a sample with that middle.
  void legend(std::string_view name, const std::function<void(Svg&, Spot)>& draw);
  void legend(std::string_view name, const Stroke& stroke);
  void legend(std::string_view name, const Marker& marker);
  void legend(std::string_view name, const Stroke& stroke, const Marker& marker);

  std::string finish(std::string_view note, std::string_view definitions = {});

 private:
  void add_note(std::string_view note);

  Svg svg_;
  double bottom_ = 0;
  double legend_left_ = 0;
};

}  // namespace batchscope::charts
