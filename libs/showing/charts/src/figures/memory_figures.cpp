#include <fmt/format.h>

#include "batchscope/base/units.hpp"
#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/charts/figures.hpp"
#include "batchscope/charts/fitted_law.hpp"
#include "batchscope/charts/memory_kinds.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::charts {
namespace {

using findings::ConfigRow;
using findings::Group;
using findings::percent;

SizePoint point_of(const ConfigRow& row, double value, const std::string& text) {
  return {.size = row.config.shape.batch_size, .value = value, .text = text, .brief = text};
}

// The line through the peaks of a table alone, and what they have to stay under where that is near.
void add_limit(SizeFigure& figure, const std::vector<Group>& groups, double unit) {
  if (groups.size() != 1 || groups.front().memory_laws.empty()) return;
  const findings::MemoryLaw& law = groups.front().memory_laws.front();
  LawCurve line{"line through them", "", {}};
  for (const double size : sizes_along(groups.front())) {
    const double value = (law.base_bytes + law.per_sample_bytes * size) / unit;
    line.points.push_back({size, value, value, value});
  }
  if (groups.front().rows.size() > 2) figure.curves.push_back(std::move(line));
  if (!law.limit_bytes) return;
  const std::string words =
      fmt::format("limit {}{}", base::format_bytes(*law.limit_bytes),
                  law.limit_of.empty() ? "" : " (" + shown_name(law.limit_of) + ")");
  const auto limit = static_cast<double>(*law.limit_bytes);
  if (near_memory_limit(groups)) {
    figure.limit = ScatterBound{limit / unit, words};
  } else {
    figure.texts.note = fmt::format("The {} ({:.0f} times as much) is beyond the axis.", words,
                                    limit / largest_peak(groups));
  }
}

void add(SizeFigure& figure, SizeSeries series) {
  if (!series.points.empty()) figure.series.push_back(std::move(series));
}

SizeFigure peaks(const std::vector<Group>& groups) {
  const SeriesNames names = series_names(groups);
  const double unit = memory_unit(groups);
  SizeFigure figure{
      .texts = {"memory", memory_title(groups),
                unit == kGibibyte ? "peak memory (GiB)" : "peak memory (MiB)", "", names.common},
      .from_zero = true};
  const bool alone = groups.size() == 1;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t k = 0; k < kMemoryKinds.size(); ++k) {
      const MemoryKind& kind = kMemoryKinds[k];
      SizeSeries series{alone ? kind.title : shown_name(names.own[g] + ": " + kind.title),
                        alone ? k : g, k, !alone && k > 0};
      for (const ConfigRow& row : groups[g].rows) {
        const auto bytes = row.memory.*kind.bytes;
        if (!bytes) continue;
        series.points.push_back(
            point_of(row, static_cast<double>(*bytes) / unit, base::format_bytes(*bytes)));
      }
      add(figure, std::move(series));
    }
  }
  add_limit(figure, groups, unit);
  return figure;
}

SizeFigure fragmentation(const std::vector<Group>& groups) {
  const SeriesNames names = series_names(groups);
  SizeFigure figure{.texts = {"fragmentation", "Fragmentation of device memory, lower is better",
                              "reserved but not allocated at the peak (%)", "", names.common},
                    .from_zero = true};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    SizeSeries series{groups.size() == 1 ? "measured" : shown_name(names.own[g]), g, g};
    for (const ConfigRow& row : groups[g].rows) {
      if (!row.fragmentation) continue;
      series.points.push_back(point_of(row, 100 * *row.fragmentation, percent(*row.fragmentation)));
    }
    add(figure, std::move(series));
  }
  return figure;
}

}  // namespace

std::vector<SizeFigure> memory_figures(const std::vector<Group>& groups) {
  std::vector<SizeFigure> figures = {peaks(groups), fragmentation(groups)};
  std::erase_if(figures, [](const SizeFigure& figure) { return figure.series.empty(); });
  return figures;
}

}  // namespace batchscope::charts
