#include <fmt/format.h>

#include <utility>

#include "batchscope/charts/chart_axis.hpp"
#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/charts/fitted_law.hpp"
#include "batchscope/charts/residuals.hpp"
#include "chart_kinds.hpp"
#include "chart_style.hpp"

namespace batchscope::charts {
namespace {

using Rows = std::vector<ChartScript::Row>;

constexpr double kInPercent = 100;
constexpr std::size_t kMostLabelled = 10;

findings::Estimate in_percent(const findings::Estimate& ratio) {
  if (!ratio.ci) return {kInPercent * ratio.value, std::nullopt};
  return {kInPercent * ratio.value,
          stats::Interval{kInPercent * ratio.ci->low, kInPercent * ratio.ci->high}};
}

// The sizes of all tables, with the laws drawn flat.
class ResidualPicture {
 public:
  ResidualPicture(const findings::Summary& summary, std::vector<ResidualSeries> series)
      : summary_(summary),
        series_(std::move(series)),
        axis_(summary.groups, SizeAxis::Spacing::log2),
        names_(series_names(summary.groups)) {}

  Chart make() {
    const ValueAxis values = value_axis();
    ends_ = values.ends({});
    set_frame(script_, residual_title(summary_), names_.common,
              "time beyond what the law gives (%)");
    script_.command(axis_.commands(kAxisPixels));
    script_.command(values.commands({}));
    add_law();
    for (const ResidualSeries& series : series_) add_series(series);
    const std::string look = "using 1:2:3 with labels left offset character 1.1,0.6 font ";
    script_.draw(labels_, look + "'sans-serif,10' tc rgb '#333333'");
    script_.draw(slow_labels_,
                 look + fmt::format("'sans-serif:Bold,11' tc rgb '{}'", kAnomalyColour));
    add_legend();
    const int height = kChartHeight + set_legend(script_);
    script_.plot();
    return Chart{"residual", kChartWidth, height, script_.take()};
  }

 private:
  ValueAxis value_axis() const {
    ValueAxis values;
    for (const double ratio : {-kTolerance, 0.0, kTolerance}) values.include(kInPercent * ratio);
    for (const ResidualSeries& series : series_) {
      for (const Residual& each : series.points) values.include(in_percent(each.beyond));
    }
    return values;
  }

  void add_law() {
    Rows band, law;
    for (const double x : {axis_.low(), axis_.high()}) {
      band.push_back(
          {number(x), number(-kInPercent * kTolerance), number(kInPercent * kTolerance)});
      law.push_back({number(x), "0"});
    }
    script_.draw(band, kBand);
    script_.draw(law, fmt::format("with lines {}", kReferenceLine));
  }

  void add_series(const ResidualSeries& series) {
    const SeriesStyle& style = series_style(series.group);
    Rows points, slow;
    std::vector<Bar> bars;
    for (const Residual& each : series.points) {
      const findings::Estimate beyond = in_percent(each.beyond);
      const double x = axis_.position(each.row->config.shape.batch_size);
      const bool is_slow = each.stand_out && each.stand_out->is_slow();
      (is_slow ? slow : points).push_back({number(x), number(beyond.value)});
      if (beyond.ci) bars.push_back({x, beyond.value, *beyond.ci});
      if (!is_slow && (series_.size() > 1 || axis_.count() > kMostLabelled)) continue;
      (is_slow ? slow_labels_ : labels_)
          .push_back({number(x), number(beyond.value), label(signed_percent(each.beyond))});
    }
    has_clipped_ = draw_bars(script_, bars, ends_, style.colour) || has_clipped_;
    const std::string look = fmt::format("pt {} ps 1.4", style.filled);
    script_.draw(points, fmt::format("with points lc rgb '{}' {}", style.colour, look));
    script_.draw(slow, fmt::format("with points lc rgb '{}' {}", kAnomalyColour, look));
  }

  void add_legend() {
    for (const ResidualSeries& series : series_) {
      const SeriesStyle& style = series_style(series.group);
      const bool alone = summary_.groups.size() == 1;
      script_.legend(
          fmt::format("with points lc rgb '{}' pt {} ps 1.4", style.colour, style.filled),
          alone ? "measured" : names_.own[series.group]);
    }
    script_.legend(fmt::format("with lines {}", kReferenceLine),
                   fmt::format("the law; grey: {}", tolerance_words()));
    if (!slow_labels_.empty()) {
      script_.legend(fmt::format("with points lc rgb '{}' pt 7 ps 1.4", kAnomalyColour),
                     "proven anomaly");
    }
    if (has_clipped_) add_clipped_legend(script_);
  }

  const findings::Summary& summary_;
  std::vector<ResidualSeries> series_;
  SizeAxis axis_;
  SeriesNames names_;
  ChartScript script_;
  stats::Interval ends_;
  Rows labels_, slow_labels_;
  bool has_clipped_ = false;
};

}  // namespace

std::optional<Chart> residual_chart(const findings::Summary& summary) {
  std::vector<ResidualSeries> series = residuals(summary);
  if (series.empty()) return {};
  return ResidualPicture(summary, std::move(series)).make();
}

}  // namespace batchscope::charts
