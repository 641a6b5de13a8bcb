#include <fmt/format.h>

#include <algorithm>

#include "chart_axis.hpp"
#include "chart_kinds.hpp"
#include "chart_style.hpp"
#include "numbers.hpp"
#include "tables.hpp"

namespace batchscope::report {
namespace {

using schema::ConfigRow;
using schema::Group;
using Rows = std::vector<ChartScript::Row>;

constexpr double kHalfBar = 0.36;
constexpr std::size_t kMostUprightLabels = 8;
constexpr int kPanelHeight = 330;

// All phases of all groups, so that every panel fills the same phase in the same way.
std::vector<std::string> all_phases(const std::vector<Group>& groups) {
  Group all;
  for (const Group& group : groups) {
    all.rows.insert(all.rows.end(), group.rows.begin(), group.rows.end());
  }
  std::vector<std::string> names = phase_names(all);
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& name) { return name == "forward"; });
  return names;
}

std::string fill_of(const std::vector<std::string>& phases, std::size_t index) {
  return phases[index] == "other" ? std::string(kOtherFill) : fill_style(index);
}

// The pieces of one phase: x, y, and the corners of a rectangle on top of the phases before it.
Rows pieces(const Group& group, const SizeAxis& axis, const std::vector<std::string>& phases,
            std::size_t index) {
  Rows rows;
  for (const ConfigRow& row : group.rows) {
    const auto share = [&](std::size_t i) {
      const schema::PhaseShare* phase = find_phase(row, phases[i]);
      return phase == nullptr ? 0.0 : 100 * std::max(0.0, phase->share);
    };
    double bottom = 0;
    for (std::size_t i = 0; i < index; ++i) bottom += share(i);
    const double top = bottom + share(index);
    if (top <= bottom) continue;
    const double x = axis.position(row.config.shape.batch_size);
    rows.push_back({number(x), number(top), number(x - kHalfBar), number(x + kHalfBar),
                    number(bottom), number(top)});
  }
  return rows;
}

void add_panel(ChartScript& script, const Group& group, const std::vector<std::string>& phases) {
  const SizeAxis axis({group}, SizeAxis::Spacing::even);
  script.command(axis.commands(kAxisPixels));
  for (std::size_t i = 0; i < phases.size(); ++i) {
    script.draw(pieces(group, axis, phases, i),
                "using 1:2:3:4:5:6 with boxxyerror " + fill_of(phases, i));
  }
  const bool crowded = group.rows.size() > kMostUprightLabels;
  Rows totals;
  for (const ConfigRow& row : group.rows) {
    if (row.phases.empty()) continue;
    totals.push_back({number(axis.position(row.config.shape.batch_size)), "100",
                      "\"" + brief(row.time_mean_ms) + (crowded ? "" : " ms") + "\""});
  }
  script.draw(totals, "with labels offset character 0,0.7 font 'Sans,10' tc rgb '#333333'");
}

}  // namespace

std::optional<Chart> breakdown_chart(const std::vector<Group>& groups) {
  std::vector<Group> with_phases;
  std::copy_if(groups.begin(), groups.end(), std::back_inserter(with_phases),
               [](const Group& group) { return !phase_names(group).empty(); });
  if (with_phases.empty()) return {};
  const std::vector<std::string> phases = all_phases(with_phases);
  const SeriesNames names = series_names(with_phases);
  const bool panels = with_phases.size() > 1;
  ChartScript script;
  if (panels) script.command(fmt::format("set multiplot layout {},1", with_phases.size()));
  for (std::size_t g = 0; g < with_phases.size(); ++g) {
    const std::string subtitle =
        panels ? names.own[g] + (names.common.empty() ? "" : ", " + names.common) : names.common;
    set_frame(script, "Where the time of an iteration goes (mean on top, ms)", subtitle,
              "share of time (%)");
    script.command("set yrange [0:108]\nset ytics 0,25,100");
    add_panel(script, with_phases[g], phases);
    for (std::size_t i = 0; i < phases.size(); ++i) {
      script.legend("with boxes " + fill_of(phases, i), phases[i]);
    }
    script.plot();
  }
  if (panels) script.command("unset multiplot");
  const int height = panels ? kPanelHeight * static_cast<int>(with_phases.size())
                            : height_for(static_cast<int>(phases.size()), 14);
  return Chart{"time_breakdown", kChartWidth, height, script.take()};
}

}  // namespace batchscope::report
