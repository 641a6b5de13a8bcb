#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/charts/figures.hpp"
#include "batchscope/charts/fitted_law.hpp"
#include "batchscope/charts/residuals.hpp"
#include "batchscope/charts/series.hpp"

namespace batchscope::charts {
namespace {

SizePoint residual_point(const Residual& residual) {
  const findings::Estimate& beyond = residual.beyond;
  SizePoint point{.size = residual.row->config.shape.batch_size,
                  .value = 100 * beyond.value,
                  .text = signed_percent(beyond) + " against the law",
                  .brief = signed_percent(beyond),
                  .verdict = residual.row->verdict};
  if (beyond.ci) point.interval = {100 * beyond.ci->low, 100 * beyond.ci->high};
  if (residual.outlier) {
    point.mark = residual.outlier->is_slow() ? PointMark::slow : PointMark::fast;
  }
  return point;
}

LawCurve tolerance(const std::vector<SizeSeries>& all) {
  double low = 1e300, high = 0;
  for (const SizeSeries& series : all) {
    low = std::min(low, static_cast<double>(series.points.front().size));
    high = std::max(high, static_cast<double>(series.points.back().size));
  }
  LawCurve law{"the law", tolerance_words(), {}};
  for (const double size : {low, high}) {
    law.points.push_back({size, 0, -100 * kTolerance, 100 * kTolerance});
  }
  return law;
}

}  // namespace

std::optional<SizeFigure> residual_figure(const findings::Summary& summary) {
  const std::vector<ResidualSeries> all = residuals(summary);
  if (all.empty()) return {};
  const SeriesNames names = series_names(summary.groups);
  const bool alone = summary.groups.size() == 1;
  SizeFigure figure{.texts = {"residual", residual_title(summary), "time above the law (%)",
                              "The fit of the law uses the sizes that no split beats. Sizes inside "
                              "the band are not anomalies.",
                              names.common},
                    .stems = true};
  for (const ResidualSeries& each : all) {
    const std::size_t g = each.group;
    figure.series.push_back({alone ? "measured" : shown_name(names.own[g]), g, g, false,
                             base::mapped(each.points, residual_point)});
  }
  figure.curves.push_back(tolerance(figure.series));
  return figure;
}

}  // namespace batchscope::charts
