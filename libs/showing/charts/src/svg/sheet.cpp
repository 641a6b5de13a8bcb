#include "sheet.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/characters.hpp"
#include "batchscope/charts/series.hpp"
#include "palette.hpp"

namespace batchscope::charts {
namespace {

constexpr double kEdge = 16;
constexpr double kTitles = 74;     // above the first panel
constexpr double kBelowAxis = 56;  // ticks and title
constexpr double kBetween = 34;    // of panels, for the heading of the next
constexpr double kLegendRow = 23;
constexpr double kSample = 34;
constexpr double kLetterOfTitle = 0.66, kLetterOfLegend = 7.7, kLetterOfNote = 6.7;  // of its size
constexpr std::size_t kLongestLegend = 70, kLongestTitle = 118;

double width_of(std::string_view text) {
  return static_cast<double>(base::display_width(text));
}

// As large as it may be, and as small as it has to be.
std::string size_that_fits(std::string_view text, double most, double letter) {
  const double room = kSheetWidth - 3 * kEdge;
  const double fits = room / (letter * std::max(1.0, width_of(text)));
  return fmt::format("font-size=\"{}\"", number(std::clamp(fits, 8.0, most)));
}

}  // namespace

Sheet::Sheet(std::string_view title, std::string_view subtitle) {
  const std::string large = base::shorten(base::clean(title), kLongestTitle);
  const std::string small = base::shorten(base::clean(subtitle), kLongestTitle);
  svg_.text("ink strong title", {2 * kEdge, 34}, "start", large,
            size_that_fits(large, 19, kLetterOfTitle));
  svg_.text(fill_of(kReferenceColour), {2 * kEdge, 57}, "start", small,
            size_that_fits(small, 14, 0.6));
  bottom_ = kTitles;
}

Frame Sheet::next(double height, const std::vector<AxisTick>& ticks, std::string_view heading) {
  std::size_t widest = 1;
  for (const AxisTick& tick : ticks) widest = std::max(widest, tick.text.size());
  if (!heading.empty()) {
    svg_.text("ink strong", {2 * kEdge, bottom_ + 12}, "start",
              base::shorten(base::clean(heading), kLongestTitle));
    bottom_ += kBetween;
  }
  const Frame frame{46 + 8.2 * static_cast<double>(widest), bottom_, kSheetWidth - kEdge,
                    bottom_ + height};
  bottom_ += height + kBelowAxis;
  legend_left_ = 0;
  return frame;
}

void Sheet::legend(std::string_view name, const std::function<void(Svg&, Spot)>& draw) {
  const std::string text = base::shorten(base::clean(name), kLongestLegend);
  const double width = kSample + 10 + kLetterOfLegend * width_of(text);
  const bool first = legend_left_ == 0;
  if (first || legend_left_ + width > kSheetWidth - kEdge) {
    legend_left_ = 2 * kEdge;
    bottom_ += kLegendRow;
  }
  const double middle = bottom_ - kLegendRow / 2;
  draw(svg_, {legend_left_ + kSample / 2, middle});
  svg_.text("ink", {legend_left_ + kSample + 8, middle + 4.5}, "start", text);
  legend_left_ += width + 22;
}

void Sheet::legend(std::string_view name, const Stroke& stroke) {
  legend(name, [&](Svg& svg, Spot at) {
    draw_line(svg, {{at.x - kSample / 2, at.y}, {at.x + kSample / 2, at.y}}, stroke);
  });
}

void Sheet::legend(std::string_view name, const Marker& marker) {
  legend(name, [&](Svg& svg, Spot at) { draw_marker(svg, at, marker); });
}

void Sheet::legend(std::string_view name, const Stroke& stroke, const Marker& marker) {
  legend(name, [&](Svg& svg, Spot at) {
    draw_line(svg, {{at.x - kSample / 2, at.y}, {at.x + kSample / 2, at.y}}, stroke);
    draw_marker(svg, at, marker);
  });
}

// In as many lines as it takes.
void Sheet::add_note(std::string_view note) {
  const auto most = static_cast<std::size_t>((kSheetWidth - 4 * kEdge) / kLetterOfNote);
  std::string rest = base::clean(note);
  while (!rest.empty()) {
    std::size_t end = rest.size() > most ? rest.rfind(' ', most) : rest.size();
    if (end == std::string::npos || end == 0) end = std::min(most, rest.size());
    bottom_ += 19;
    svg_.text(fill_of(kReferenceColour), {2 * kEdge, bottom_ - 3}, "start", rest.substr(0, end),
              "font-size=\"12.5\"");
    rest.erase(0, std::min(rest.size(), end + 1));
  }
}

std::string Sheet::finish(std::string_view note, std::string_view definitions) {
  add_note(note);
  const double height = bottom_ + kEdge;
  Svg full;
  full.add(fmt::format("<style>\n{}</style>\n{}", picture_style(), definitions));
  full.rect("ground", {0, 0}, kSheetWidth, height);
  full.add(svg_.markup());
  return full.drawing(
      kSheetWidth, height,
      fmt::format("xmlns=\"http://www.w3.org/2000/svg\" class=\"batchscope-chart\" role=\"img\" "
                  "width=\"{}\" height=\"{}\" style=\"max-width:100%;height:auto\"",
                  number(kSheetWidth), number(height)));
}

}  // namespace batchscope::charts
