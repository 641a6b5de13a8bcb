#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/charts/phases_to_draw.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/phases.hpp"
#include "html_charts.hpp"
#include "tables/tables.hpp"

namespace batchscope::report {
namespace {

using charts::breakdown_title;
using charts::fill_colour;
using charts::find_phase;
using charts::kOtherColour;
using charts::kSmallPhase;
using charts::phase_names;
using charts::phases_to_draw;
using charts::PhasesToDraw;
using charts::series_names;
using charts::SeriesNames;
using findings::brief;
using findings::ConfigRow;
using findings::Group;
using findings::percent;

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPhaseWords = {
    {{schema::phases::kToDevice, "the batch to the device"},
     {schema::phases::kToHost, "the result back to the host"},
     {schema::phases::kSync, "waiting for the device"},
     {schema::phases::kOther, "the iteration minus its phases"}}};

Json phases_json(const std::vector<std::string>& phases) {
  Json json = Json::array();
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const bool other = phases[i] == schema::phases::kOther;
    json.push_back({{"name", shown_name(phases[i])},
                    {"colour", other ? kOtherColour : fill_colour(i)},
                    {"style", other ? std::size_t{0} : i}});
  }
  return json;
}

Json part_json(const ConfigRow& row, const std::string& name) {
  const findings::PhaseShare* phase = find_phase(row, name);
  if (phase == nullptr) return {{"share", 0}, {"ms", 0}, {"text", ""}};
  return {{"share", std::max(0.0, phase->share)},
          {"ms", std::max(0.0, phase->host_ms)},
          {"text", brief(phase->host_ms) + " ms, " + percent(phase->share)}};
}

Json bars_json(const Group& group, const std::vector<std::string>& phases) {
  Json bars = Json::array();
  for (const ConfigRow& row : group.rows) {
    if (row.phases.empty()) continue;
    Json parts = Json::array();
    for (const std::string& phase : phases) parts.push_back(part_json(row, phase));
    bars.push_back({{"size", row.config.shape.batch_size},
                    {"mean", row.time_mean_ms},
                    {"text", brief(row.time_mean_ms) + " ms"},
                    {"parts", std::move(parts)}});
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
  return fmt::format("{}{}Left out, each below {}: {}.", text, text.empty() ? "" : " ",
                     percent(kSmallPhase),
                     base::join(base::mapped(phases.left_out, shown_name), ", "));
}

}  // namespace

std::vector<Json> html_breakdown_charts(const std::vector<Group>& groups) {
  const std::vector<Group> with_phases =
      base::kept(groups, [](const Group& group) { return !phase_names(group).empty(); });
  const PhasesToDraw phases = phases_to_draw(with_phases);
  // A bar of one phase says nothing.
  if (phases.drawn.size() < 2) return {};
  const SeriesNames names = series_names(with_phases);
  std::vector<Json> charts;
  for (std::size_t g = 0; g < with_phases.size(); ++g) {
    const bool alone = with_phases.size() == 1;
    const std::string title = breakdown_title({with_phases[g]}, phases.drawn);
    charts.push_back({{"kind", "stack"},
                      {"id", alone ? "time_breakdown" : fmt::format("time_breakdown_{}", g + 1)},
                      {"place", places::kMain},
                      {"title", alone ? title : shown_name(names.own[g]) + ": " + title},
                      {"axis", "mean time of each phase; on top: the whole iteration"},
                      {"note", names_in_words(phases)},
                      {"phases", phases_json(phases.drawn)},
                      {"bars", bars_json(with_phases[g], phases.drawn)}});
  }
  return charts;
}

}  // namespace batchscope::report
