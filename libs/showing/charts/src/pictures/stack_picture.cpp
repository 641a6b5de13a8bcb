#include <fmt/format.h>

#include <string>

#include "batchscope/charts/pictures.hpp"
#include "batchscope/charts/scale.hpp"
#include "batchscope/charts/series.hpp"
#include "svg/palette.hpp"
#include "svg/sheet.hpp"

namespace batchscope::charts {
namespace {

constexpr double kAlone = 390, kOneOfSeveral = 190;
constexpr double kHalfBar = 0.36;
constexpr std::size_t kMostUprightLabels = 8;

// Every second phase is hatched, so that grey is enough.
constexpr int kHatches = 3;
std::string hatch_definitions() {
  constexpr std::array<int, kHatches> kTurns = {45, -45, 90};
  std::string patterns;
  for (int i = 0; i < kHatches; ++i) {
    patterns += fmt::format(
        "<pattern id=\"hatch{}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate({})\"><path class=\"hatch\" d=\"M0 0V6\" stroke-width=\"3\"/>"
        "</pattern>\n",
        i, kTurns[static_cast<std::size_t>(i)]);
  }
  return "<defs>\n" + patterns + "</defs>\n";
}

void fill(Svg& svg, const StackPhase& phase, Spot corner, double width, double height,
          const std::string& title) {
  svg.rect("phase " + fill_of(phase.colour), corner, width, height, title);
  if (phase.style % 2 == 0) return;
  const std::string d = path_through({corner}) +
                        fmt::format("h{}v{}h-{}Z", number(width), number(height), number(width));
  svg.path(
      "none", d,
      fmt::format("fill=\"url(#hatch{})\" pointer-events=\"none\"", phase.style / 2 % kHatches));
}

void add_bar(Panel& panel, const StackFigure& figure, const StackBar& bar, double at) {
  const double left = panel.x(at - kHalfBar), width = panel.x(at + kHalfBar) - left;
  double below = 0;
  for (std::size_t i = 0; i < bar.parts.size(); ++i) {
    const double share = 100 * bar.parts[i].share;
    if (!(share > 0)) continue;
    const double top = panel.y(below + share);
    fill(panel.inside(), figure.phases[i], {left, top}, width, panel.y(below) - top,
         fmt::format("batch {}, {}: {}", bar.size, figure.phases[i].name, bar.parts[i].text));
    below += share;
  }
}

void add_panel(Sheet& sheet, const StackFigure& figure, bool alone) {
  std::vector<int64_t> sizes;
  for (const StackBar& bar : figure.bars) sizes.push_back(bar.size);
  const SizeAxis axis(sizes, SizeAxis::Spacing::even);
  const Axis up{"share of time (%)",
                {0, alone ? 108.0 : 118.0},
                {{0, "0"}, {25, "25"}, {50, "50"}, {75, "75"}, {100, "100"}}};
  const Frame frame =
      sheet.next(alone ? kAlone : kOneOfSeveral, up.ticks, alone ? "" : figure.texts.title);
  Panel panel(frame, {"batch size (samples)", axis.ends(), axis.ticks(frame.width())}, up);
  for (const StackBar& bar : figure.bars) {
    const double at = axis.position(static_cast<double>(bar.size));
    add_bar(panel, figure, bar, at);
    const bool crowded = figure.bars.size() > kMostUprightLabels;
    const std::string text = crowded ? bar.text.substr(0, bar.text.find(' ')) : bar.text;
    panel.inside().text("ink", {panel.x(at), panel.y(100) - 6}, "middle", text);
  }
  sheet.add(panel);
}

}  // namespace

std::string picture(const std::vector<StackFigure>& figures) {
  const StackFigure& first = figures.front();
  const bool alone = figures.size() == 1;
  Sheet sheet(alone ? first.texts.title : "Where the time of an iteration goes",
              first.texts.subtitle);
  for (const StackFigure& figure : figures) add_panel(sheet, figure, alone);
  for (const StackPhase& phase : first.phases) {
    sheet.legend(phase.name, [&](Svg& svg, Spot at) {
      fill(svg, phase, {at.x - 16, at.y - 6}, 32, 12, "");
    });
  }
  return sheet.finish("On top: mean time of an iteration. " + first.texts.note,
                      hatch_definitions());
}

}  // namespace batchscope::charts
