#include "trend_chart.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/characters.hpp"
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

// From runs and ms to places in the picture.
class Scale {
 public:
  Scale(const Trend& trend, const TrendSeries& series) : runs_(trend.runs.size()) {
    const auto [low, high] =
        std::minmax_element(series.points.begin(), series.points.end(),
                            [](const TrendPoint& a, const TrendPoint& b) { return a.ms < b.ms; });
    // Scatter of a per cent is not to fill the picture as if it were much.
    const double room = std::max(0.15 * (high->ms - low->ms), 0.02 * low->ms);
    low_ = low->ms - room;
    high_ = high->ms + room;
  }

  double x(double run) const {
    return kTrendLeft +
           (run + 0.5) / static_cast<double>(runs_) * (kTrendWidth - kTrendLeft - kTrendRight);
  }
  double x(std::size_t run) const { return x(static_cast<double>(run)); }
  double y(double ms) const {
    return kTrendTop + (high_ - ms) / (high_ - low_) * (kTrendHeight - kTrendTop - kTrendBottom);
  }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  std::size_t runs_;
  double low_ = 0, high_ = 1;
};

std::string grid(const Scale& scale) {
  std::string svg;
  for (const double share : {0.1, 0.5, 0.9}) {
    const double ms = scale.low() + share * (scale.high() - scale.low());
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5} ms</text>\n",
        kTrendLeft, kTrendWidth - kTrendRight, scale.y(ms), kTrendLeft - 6, scale.y(ms) + 4,
        plain(ms));
  }
  return svg;
}

std::string run_name(double x, const char* anchor, const std::string& label) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x, kTrendHeight - 12,
                     anchor, html_text(base::shorten(base::clean(label), kLongestRunName)));
}

// The first and the last run, by name.
std::string ends(const Trend& trend) {
  const std::string first = run_name(kTrendLeft, "start", trend.runs.front().label);
  if (trend.runs.size() == 1) return first;
  return first + run_name(kTrendWidth - kTrendRight, "end", trend.runs.back().label);
}

std::string change_band(const Scale& scale, const TrendChange& change) {
  const double from = scale.x(static_cast<double>(change.earliest) - 0.5);
  const double to = scale.x(static_cast<double>(change.latest) + 0.5);
  return fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\"><title>{}</title>"
      "</rect>\n",
      change.ratio.value > 1 ? "rise" : "fall", from, kTrendTop, to - from,
      kTrendHeight - kTrendTop - kTrendBottom, html_text(change.message));
}

std::string level_line(const Scale& scale, const TrendLevel& level) {
  return fmt::format(
      "<line class=\"level\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>\n",
      scale.x(static_cast<double>(level.first_run) - 0.4),
      scale.x(static_cast<double>(level.last_run) + 0.4), scale.y(level.ms));
}

std::string dot(const Scale& scale, const Trend& trend, const TrendPoint& point) {
  return fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"><title>{}: {} ms</title></circle>\n",
      scale.x(point.run), scale.y(point.ms), html_text(trend.runs[point.run].label),
      plain(point.ms));
}

}  // namespace

std::string trend_chart(const Trend& trend, const TrendSeries& series) {
  const Scale scale(trend, series);
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}: time of a batch over runs\">\n",
      kTrendWidth, kTrendHeight, html_text(series.label));
  for (const TrendChange& change : series.changes) svg += change_band(scale, change);
  svg += grid(scale) + ends(trend);
  for (const TrendLevel& level : series.levels) svg += level_line(scale, level);
  for (const TrendPoint& point : series.points) svg += dot(scale, trend, point);
  return svg + "</svg>\n";
}

}  // namespace batchscope::report
