#include <fmt/format.h>

#include <algorithm>

#include "batchscope/charts/chart_axis.hpp"
#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/charts/phases_to_draw.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/schema/phases.hpp"
#include "chart_kinds.hpp"
#include "chart_style.hpp"

namespace batchscope::charts {
namespace {

using findings::brief;
using findings::ConfigRow;
using findings::Group;
using Rows = std::vector<ChartScript::Row>;

constexpr double kHalfBar = 0.36;
constexpr std::size_t kMostUprightLabels = 8;
constexpr const char* kName = "time_breakdown";
constexpr const char* kMeaning = "mean time of an iteration on top";
// Pixels of a picture with panels.
constexpr int kAboveFirst = 116;
constexpr int kPanel = 200;
constexpr int kBetween = 62;
constexpr int kBelowLast = 95;

std::string fill_of(const std::vector<std::string>& phases, std::size_t index) {
  return phases[index] == schema::phases::kOther ? std::string(kOtherFill) : fill_style(index);
}

std::string with_meaning(const std::string& common) {
  return common.empty() ? kMeaning : common + "; " + kMeaning;
}

// The pieces of one phase: x, y, and the corners of a rectangle on top of the phases before it.
Rows pieces(const Group& group, const SizeAxis& axis, const std::vector<std::string>& phases,
            std::size_t index) {
  Rows rows;
  for (const ConfigRow& row : group.rows) {
    const auto share = [&](std::size_t i) {
      const findings::PhaseShare* phase = find_phase(row, phases[i]);
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
  script.draw(totals, "with labels offset character 0,0.7 font 'sans-serif,10' tc rgb '#333333'");
}

void add_legend(ChartScript& script, const std::vector<std::string>& phases) {
  for (std::size_t i = 0; i < phases.size(); ++i) {
    script.legend("with boxes " + fill_of(phases, i), phases[i]);
  }
}

// One picture with a panel a group, one below the other, title above and legend below all of them.
Chart panels(const std::vector<Group>& groups, const std::vector<std::string>& phases) {
  const SeriesNames names = series_names(groups);
  const auto count = static_cast<int>(groups.size());
  const int height = kAboveFirst + count * kPanel + (count - 1) * kBetween + kBelowLast;
  const auto share = [&](int pixels) { return static_cast<double>(pixels) / height; };
  ChartScript script;
  script.command(fmt::format(
      "set multiplot layout {},1 margins screen 0.09,0.98,{:.4f},{:.4f} spacing screen {:.4f}",
      count, share(kBelowLast), 1 - share(kAboveFirst), share(kBetween)));
  for (int g = 0; g < count; ++g) {
    const auto index = static_cast<std::size_t>(g);
    if (g == 0) {
      set_frame(script, breakdown_title(groups, phases), with_meaning(names.common),
                "share of time (%)");
      script.command("set yrange [0:118]\nset ytics 0,25,100\nunset xlabel");
      script.command("set label 1 offset character 0,4.2\nset label 2 offset character 0,2.7");
    }
    script.command(
        fmt::format("set label 3 {} at graph 0,1 offset character 0,0.8 "
                    "font 'sans-serif:Bold,12' tc rgb '#111111'",
                    label(names.own[index])));
    if (g + 1 == count) {
      script.command("set xlabel 'batch size (samples)' offset character 0,0.3");
      add_legend(script, phases);
      set_legend(script);
    }
    add_panel(script, groups[index], phases);
    script.plot();
    if (g == 0) script.command("unset label 1\nunset label 2");
  }
  script.command("unset multiplot");
  return Chart{kName, kChartWidth, height, script.take()};
}

}  // namespace

std::optional<Chart> breakdown_chart(const std::vector<Group>& groups) {
  std::vector<Group> with_phases;
  std::copy_if(groups.begin(), groups.end(), std::back_inserter(with_phases),
               [](const Group& group) { return !phase_names(group).empty(); });
  const std::vector<std::string> phases = phases_to_draw(with_phases).drawn;
  // A bar of one phase says nothing.
  if (phases.size() < 2) return {};
  if (with_phases.size() > 1) return panels(with_phases, phases);
  ChartScript script;
  set_frame(script, breakdown_title(with_phases, phases),
            with_meaning(series_names(with_phases).common), "share of time (%)");
  script.command("set yrange [0:108]\nset ytics 0,25,100");
  add_legend(script, phases);
  const int height = kChartHeight + set_legend(script);
  add_panel(script, with_phases.front(), phases);
  script.plot();
  return Chart{kName, kChartWidth, height, script.take()};
}

}  // namespace batchscope::charts
