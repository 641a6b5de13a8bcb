#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/charts/figures.hpp"
#include "batchscope/charts/phases_to_draw.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/phases.hpp"

namespace batchscope::charts {
namespace {

using findings::brief;
using findings::ConfigRow;
using findings::Group;
using findings::percent;

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPhaseWords = {
    {{schema::phases::kToDevice, "the batch to the device"},
     {schema::phases::kToHost, "the result back to the host"},
     {schema::phases::kSync, "waiting for the device"},
     {schema::phases::kOther, "the iteration minus its phases"}}};

std::vector<StackPhase> phases_of(const std::vector<std::string>& phases) {
  std::vector<StackPhase> all;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const bool other = phases[i] == schema::phases::kOther;
    all.push_back({shown_name(phases[i]), other ? kOtherColour : fill_colour(i), other ? 0 : i});
  }
  return all;
}

StackPart part_of(const ConfigRow& row, const std::string& name) {
  const findings::PhaseShare* phase = find_phase(row, name);
  if (phase == nullptr) return {};
  return {std::max(0.0, phase->share), std::max(0.0, phase->host_ms),
          brief(phase->host_ms) + " ms, " + percent(phase->share)};
}

std::vector<StackBar> bars_of(const Group& group, const std::vector<std::string>& phases) {
  std::vector<StackBar> bars;
  for (const ConfigRow& row : group.rows) {
    if (row.phases.empty()) continue;
    bars.push_back(
        {row.config.shape.batch_size, row.time_mean_ms, brief(row.time_mean_ms) + " ms",
         base::mapped(phases, [&](const std::string& phase) { return part_of(row, phase); })});
  }
  return bars;
}

// What the short names stand for, of those that are there.
std::string names_in_words(const PhasesToDraw& phases) {
  std::string text;
  for (const auto& [name, words] : kPhaseWords) {
    if (!base::contains(phases.drawn, name)) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", name, words);
  }
  if (!text.empty()) text += ".";
  if (phases.left_out.empty()) return text;
  return fmt::format("{}{}Not shown, each below {}: {}.", text, text.empty() ? "" : " ",
                     percent(kSmallPhase),
                     base::join(base::mapped(phases.left_out, shown_name), ", "));
}

}  // namespace

std::vector<StackFigure> stack_figures(const std::vector<Group>& groups) {
  const std::vector<Group> with_phases =
      base::kept(groups, [](const Group& group) { return !phase_names(group).empty(); });
  const PhasesToDraw phases = phases_to_draw(with_phases);
  // A bar of one phase says nothing.
  if (phases.drawn.size() < 2) return {};
  const SeriesNames names = series_names(with_phases);
  const bool alone = with_phases.size() == 1;
  std::vector<StackFigure> figures;
  for (std::size_t g = 0; g < with_phases.size(); ++g) {
    const std::string title = breakdown_title({with_phases[g]}, phases.drawn);
    figures.push_back({{alone ? "time_breakdown" : fmt::format("time_breakdown_{}", g + 1),
                        alone ? title : shown_name(names.own[g]) + ": " + title,
                        "mean time of each phase; on top: the full iteration",
                        names_in_words(phases), names.common},
                       phases_of(phases.drawn),
                       bars_of(with_phases[g], phases.drawn)});
  }
  return figures;
}

}  // namespace batchscope::charts
