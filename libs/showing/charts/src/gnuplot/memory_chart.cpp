#include <fmt/format.h>

#include "batchscope/base/units.hpp"
#include "batchscope/charts/chart_axis.hpp"
#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/charts/memory_kinds.hpp"
#include "chart_kinds.hpp"
#include "chart_style.hpp"

namespace batchscope::charts {
namespace {

using findings::ConfigRow;
using findings::Group;
using Rows = std::vector<ChartScript::Row>;

Rows peaks(const Group& group, const MemoryKind& kind, const SizeAxis& axis, double unit) {
  Rows rows;
  for (const ConfigRow& row : group.rows) {
    const auto bytes = row.memory.*kind.bytes;
    if (!bytes) continue;
    rows.push_back({number(axis.position(row.config.shape.batch_size)),
                    number(static_cast<double>(*bytes) / unit)});
  }
  return rows;
}

}  // namespace

std::optional<Chart> memory_chart(const std::vector<Group>& groups) {
  const double most = largest_peak(groups);
  if (most <= 0) return {};
  const double unit = memory_unit(groups);
  const bool large = unit == kGibibyte;
  const SizeAxis axis(groups, SizeAxis::Spacing::log2);
  const SeriesNames names = series_names(groups);
  ValueAxis values;
  values.include(0);
  values.include(most / unit);
  const auto limit = near_memory_limit(groups);
  if (limit) values.include(static_cast<double>(*limit) / unit);
  ChartScript script;
  set_frame(script, memory_title(groups), names.common,
            large ? "peak memory (GiB)" : "peak memory (MiB)");
  script.command(axis.commands(kAxisPixels));
  script.command(values.commands({.from_zero = true}));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t k = 0; k < kMemoryKinds.size(); ++k) {
      const Rows rows = peaks(groups[g], kMemoryKinds[k], axis, unit);
      if (rows.empty()) continue;
      // Alone, the kinds look different in every way; else colour and marker tell the group, dash
      // and outline the kind.
      const bool alone = groups.size() == 1;
      const SeriesStyle& style = series_style(alone ? k : g);
      const std::string look =
          fmt::format("with linespoints lc rgb '{}' lw 2 {} pt {} ps 1.2", style.colour,
                      kMemoryKinds[k].dash, alone || k == 0 ? style.filled : style.hollow);
      script.draw(rows, look);
      script.legend(look,
                    alone ? kMemoryKinds[k].title : names.own[g] + ": " + kMemoryKinds[k].title);
    }
  }
  if (limit) {
    const std::string look = fmt::format("lc rgb '{}' lw 1.6 dt (6,5)", kAnomalyColour);
    const std::string at = number(static_cast<double>(*limit) / unit);
    script.draw({{number(axis.low()), at}, {number(axis.high()), at}}, "with lines " + look);
    script.legend("with lines " + look, "limit " + base::format_bytes(*limit));
  }
  const int height = kChartHeight + set_legend(script);
  script.plot();
  return Chart{"memory", kChartWidth, height, script.take()};
}

}  // namespace batchscope::charts
