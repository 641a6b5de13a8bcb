#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "chart_axis.hpp"
#include "chart_kinds.hpp"
#include "chart_style.hpp"

namespace batchscope::report {
namespace {

using schema::ConfigRow;
using schema::Group;
using schema::Memory;
using Rows = std::vector<ChartScript::Row>;

constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr double kGibibyte = 1024.0 * kMebibyte;

struct Kind {
  std::optional<int64_t> Memory::*bytes;
  const char* title;
  const char* dash;
};
constexpr std::array<Kind, 3> kKinds = {
    {{&Memory::peak_rss_bytes, "process, peak resident", "dt solid"},
     {&Memory::peak_allocated_bytes, "device, peak allocated", "dt (12,4)"},
     {&Memory::peak_reserved_bytes, "device, peak reserved", "dt (3,4)"}}};

double largest(const std::vector<Group>& groups) {
  double most = 0;
  for (const Group& group : groups) {
    for (const ConfigRow& row : group.rows) {
      for (const Kind& kind : kKinds) {
        const auto bytes = row.memory.*kind.bytes;
        if (bytes) most = std::max(most, static_cast<double>(*bytes));
      }
    }
  }
  return most;
}

Rows peaks(const Group& group, const Kind& kind, const SizeAxis& axis, double unit) {
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
  const double most = largest(groups);
  if (most <= 0) return {};
  const bool large = most >= 2 * kGibibyte;
  const double unit = large ? kGibibyte : kMebibyte;
  const SizeAxis axis(groups, SizeAxis::Spacing::log2);
  const SeriesNames names = series_names(groups);
  ValueAxis values;
  values.include(0);
  values.include(most / unit);
  ChartScript script;
  set_frame(script, "Peak memory", names.common, large ? "memory (GiB)" : "memory (MiB)");
  script.command(axis.commands(kAxisPixels));
  script.command(values.commands({.from_zero = true}));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t k = 0; k < kKinds.size(); ++k) {
      const Rows rows = peaks(groups[g], kKinds[k], axis, unit);
      if (rows.empty()) continue;
      // Alone, the kinds look different in every way; else colour and marker tell the group, dash
      // and outline the kind.
      const bool alone = groups.size() == 1;
      const SeriesStyle& style = series_style(alone ? k : g);
      const std::string look =
          fmt::format("with linespoints lc rgb '{}' lw 2 {} pt {} ps 1.2", style.colour,
                      kKinds[k].dash, alone || k == 0 ? style.filled : style.hollow);
      script.draw(rows, look);
      script.legend(look, alone ? kKinds[k].title : names.own[g] + ": " + kKinds[k].title);
    }
  }
  const int height = kChartHeight + set_legend(script);
  script.plot();
  return Chart{"memory", kChartWidth, height, script.take()};
}

}  // namespace batchscope::report
