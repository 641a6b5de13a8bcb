#include <fmt/format.h>

#include "batchscope/charts/series.hpp"
#include "batchscope/findings/numbers.hpp"
#include "html_charts.hpp"
#include "tables/operations_table.hpp"

namespace batchscope::report {
namespace {

using charts::shown_name;
using charts::SizeFigure;
using charts::SizePoint;
using findings::brief;
using findings::Diagnostics;
using findings::Group;
using findings::OperationRow;

// As many as there are colours.
constexpr std::size_t kMostSeries = 6;

std::vector<SizePoint> points_of(const OperationRow& row, const Diagnostics& diagnostics,
                                 const SampleUnit& unit) {
  std::vector<SizePoint> points;
  for (std::size_t at = 0; at < diagnostics.sizes.size(); ++at) {
    const auto value = per_sample(row, diagnostics.sizes, at, unit);
    if (!value || *value <= 0) continue;
    points.push_back({.size = diagnostics.sizes[at].batch_size,
                      .value = *value,
                      .text = fmt::format("{} {}, {} calls per iteration", brief(*value), unit.name,
                                          brief(row.at[at]->calls))});
  }
  return points;
}

SizeFigure figure_of(const Diagnostics& diagnostics, const std::string& id,
                     const std::string& title) {
  const SampleUnit unit = sample_unit(diagnostics.operations, diagnostics.sizes);
  SizeFigure figure{.texts = {id, title, fmt::format("self time per sample ({})", unit.name),
                              "From diagnostic visits: the tracer inflates these times, so compare "
                              "only between batch sizes. Largest change first."},
                    .logarithmic = true,
                    .from_zero = true};
  for (const OperationRow& row : diagnostics.operations) {
    const std::size_t style = figure.series.size();
    if (style == kMostSeries) break;
    std::vector<SizePoint> points = points_of(row, diagnostics, unit);
    if (points.empty()) continue;
    figure.series.push_back({shown_name(row.name), style, style, false, std::move(points)});
  }
  return figure;
}

}  // namespace

std::vector<SizeFigure> operation_figures(const std::vector<Group>& groups) {
  std::vector<const Group*> diagnosed;
  std::vector<std::string> names;
  const charts::SeriesNames all = charts::series_names(groups);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!groups[g].diagnostics || groups[g].diagnostics->sizes.size() < 2) continue;
    diagnosed.push_back(&groups[g]);
    names.push_back(all.own[g]);
  }
  const std::string title = "Operators and kernels that change most between batch sizes";
  std::vector<SizeFigure> figures;
  for (std::size_t i = 0; i < diagnosed.size(); ++i) {
    const bool alone = diagnosed.size() == 1;
    SizeFigure figure = figure_of(*diagnosed[i]->diagnostics,
                                  alone ? "operations" : fmt::format("operations_{}", i + 1),
                                  groups.size() == 1 ? title : title + ": " + shown_name(names[i]));
    if (!figure.series.empty()) figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace batchscope::report
