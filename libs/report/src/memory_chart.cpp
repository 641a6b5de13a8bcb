#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "characters.hpp"
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
  script.command(values.commands(false, true));
  std::size_t longest = 0, series = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Kind& kind : kKinds) {
      Rows rows;
      for (const ConfigRow& row : groups[g].rows) {
        const auto bytes = row.memory.*kind.bytes;
        if (!bytes) continue;
        rows.push_back({number(axis.position(row.config.shape.batch_size)),
                        number(static_cast<double>(*bytes) / unit)});
      }
      if (rows.empty()) continue;
      const SeriesStyle& style = series_style(series++);
      const std::string look = fmt::format("with linespoints lc rgb '{}' lw 2 {} pt {} ps 1.2",
                                           style.colour, kind.dash, style.filled);
      script.draw(rows, look);
      const std::string name =
          groups.size() == 1 ? kind.title : fmt::format("{}: {}", names.own[g], kind.title);
      longest = std::max(longest, display_width(clean(name)));
      script.legend(look, name);
    }
  }
  const int height = height_for(script.legend_entries(), longest);
  script.plot();
  return Chart{"memory", kChartWidth, height, script.take()};
}

}  // namespace batchscope::report
