#include "chart_style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace batchscope::charts {
namespace {

constexpr std::array<const char*, 6> kBoxFills = {"solid 0.5", "pattern 4", "solid 0.25",
                                                  "pattern 5", "solid 0.8", "pattern 2"};

constexpr std::size_t kSamplePixels = 100;  // of a legend's entry, beside its text
constexpr std::size_t kLetterPixels = 9;
constexpr double kAxisLines = 3.9;  // ticks and title of the axis, and a gap, in lines

}  // namespace

std::string box_style(std::size_t index) {
  return fmt::format("fs {} border lc rgb '#303030' fc rgb '{}'",
                     kBoxFills[index % kBoxFills.size()], series_style(index).colour);
}

bool draw_bars(ChartScript& script, const std::vector<Bar>& bars, const stats::Interval& axis,
               const std::string& colour) {
  std::vector<ChartScript::Row> rows, above, below;
  for (const Bar& bar : bars) {
    rows.push_back({number(bar.x), number(bar.value), number(std::max(bar.ends.low, axis.low)),
                    number(std::min(bar.ends.high, axis.high))});
    if (bar.ends.low < axis.low) below.push_back({number(bar.x), number(axis.low)});
    if (bar.ends.high > axis.high) above.push_back({number(bar.x), number(axis.high)});
  }
  const std::string look = fmt::format("lc rgb '{}'", colour);
  script.draw(rows, fmt::format("with yerrorbars {} lw 1.6 pt 7 ps 0", look));
  const auto arrow = [&](int shape) {
    return fmt::format("with points {} pt {} ps 1.3", look, shape);
  };
  script.draw(above, arrow(kUpwards));
  script.draw(below, arrow(kDownwards));
  return !above.empty() || !below.empty();
}

void add_clipped_legend(ChartScript& script) {
  script.legend(fmt::format("with points lc rgb '#333333' pt {} ps 1.3", kUpwards),
                "an interval that leaves the chart");
}

void set_frame(ChartScript& script, const std::string& title, const std::string& subtitle,
               const std::string& y_title) {
  script.command("set tmargin 5");
  script.command(
      fmt::format("set label 1 {} at graph 0,1 offset character 0,2.9 font 'sans-serif:Bold,15' tc "
                  "rgb '#111111'",
                  label(title)));
  script.command(fmt::format(
      "set label 2 {} at graph 0,1 offset character 0,1.3 font 'sans-serif,11' tc rgb '#444444'",
      label(subtitle)));
  script.command("set style textbox opaque noborder fillcolor rgb '#ffffff' margins 0.3,0.3");
  script.command("set border 3 lc rgb '#555555'");
  script.command("set tics nomirror out font 'sans-serif,11'");
  script.command("set grid ytics lc rgb '#cccccc' lw 1 dt solid");
  script.command("set xlabel 'batch size (samples)' offset character 0,0.3");
  script.command("set ylabel " + label(y_title));
}

int set_legend(ChartScript& script) {
  const int entries = script.legend_entries();
  const auto wanted = static_cast<int>(kSamplePixels + kLetterPixels * script.longest_legend());
  const int columns = std::clamp(kChartWidth / wanted, 1, std::max(1, entries));
  const int rows = (entries + columns - 1) / columns;
  script.command(fmt::format("set bmargin {:.2f}", kAxisLines + 1.1 * rows));
  script.command(fmt::format(
      "set key at screen 0.5, screen 0.012 bottom center horizontal maxcols {} Left reverse "
      "noinvert samplen 3.2 spacing 1.25 font 'sans-serif,11'",
      columns));
  return kLegendRow * rows;
}

}  // namespace batchscope::charts
