#include "trend_chart.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/characters.hpp"
#include "batchscope/charts/scale.hpp"
#include "batchscope/charts/svg.hpp"
#include "batchscope/document/html.hpp"
#include "batchscope/findings/numbers.hpp"

namespace batchscope::report {
namespace {

using document::html_text;
using findings::plain;
using findings::Trend;
using findings::TrendChange;
using findings::TrendLevel;
using findings::TrendPoint;
using findings::TrendSeries;

constexpr double kTrendWidth = 720, kTrendHeight = 240;
constexpr double kTrendLeft = 64, kTrendRight = 16, kTrendTop = 12, kTrendBottom = 34;
constexpr std::size_t kLongestRunName = 24;
constexpr std::size_t kMostTrendTicks = 5;

class TrendPicture {
 public:
  TrendPicture(const Trend& trend, const TrendSeries& series)
      : trend_(trend),
        series_(series),
        across_({-0.5, static_cast<double>(trend.runs.size()) - 0.5}, kTrendLeft,
                kTrendWidth - kTrendRight),
        up_(times(series), kTrendHeight - kTrendBottom, kTrendTop) {}

  std::string draw() {
    for (const TrendChange& change : series_.changes) add_change(change);
    add_grid();
    add_names();
    for (const TrendLevel& level : series_.levels) {
      svg_.line("level", {across_.at(double(level.first_run) - 0.4), up_.at(level.ms)},
                {across_.at(double(level.last_run) + 0.4), up_.at(level.ms)});
    }
    for (const TrendPoint& point : series_.points) {
      svg_.circle("run", {across_.at(double(point.run)), up_.at(point.ms)}, 3.5,
                  trend_.runs[point.run].label + ": " + plain(point.ms) + " ms");
    }
    return svg_.drawing(kTrendWidth, kTrendHeight,
                        fmt::format("role=\"img\" aria-label=\"{}: time of a batch over runs\"",
                                    html_text(series_.label)));
  }

 private:
  static stats::Interval times(const TrendSeries& series) {
    const auto [low, high] =
        std::minmax_element(series.points.begin(), series.points.end(),
                            [](const TrendPoint& a, const TrendPoint& b) { return a.ms < b.ms; });
    // Scatter of a per cent is not to fill the picture as if it were much.
    const double room = std::max(0.15 * (high->ms - low->ms), 0.02 * low->ms);
    return {low->ms - room, high->ms + room};
  }

  void add_grid() {
    for (const charts::AxisTick& tick : charts::round_ticks(up_.values(), kMostTrendTicks)) {
      const double at = up_.at(tick.value);
      svg_.line("grid", {kTrendLeft, at}, {kTrendWidth - kTrendRight, at});
      svg_.text("tick", {kTrendLeft - 6, at + 4}, "end", tick.text + " ms");
    }
  }

  // The first and the last run, by name.
  void add_names() {
    const auto add = [&](double x, const char* anchor, const std::string& label) {
      svg_.text("name", {x, kTrendHeight - 12}, anchor,
                base::shorten(base::clean(label), kLongestRunName));
    };
    add(kTrendLeft, "start", trend_.runs.front().label);
    if (trend_.runs.size() > 1) {
      add(kTrendWidth - kTrendRight, "end", trend_.runs.back().label);
    }
  }

  void add_change(const TrendChange& change) {
    const double from = across_.at(double(change.earliest) - 0.5);
    const double to = across_.at(double(change.latest) + 0.5);
    svg_.rect(change.ratio.value > 1 ? "rise" : "fall", {from, kTrendTop}, to - from,
              kTrendHeight - kTrendTop - kTrendBottom, change.message);
  }

  const Trend& trend_;
  const TrendSeries& series_;
  charts::Scale across_, up_;
  charts::Svg svg_;
};

}  // namespace

std::string trend_chart(const Trend& trend, const TrendSeries& series) {
  return TrendPicture(trend, series).draw();
}

}  // namespace batchscope::report
