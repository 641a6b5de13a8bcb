#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/charts/scatter.hpp"
#include "batchscope/schema/run_file.hpp"
#include "html_charts.hpp"

namespace batchscope::report {
namespace {

using charts::answer_scatter;
using charts::Scatter;
using charts::ScatterLook;
using charts::ScatterMark;
using charts::ScatterPoint;
using charts::tuning_scatters;

const char* name_of(ScatterMark mark) {
  switch (mark) {
    case ScatterMark::none:
      return "";
    case ScatterMark::recommended:
      return "recommended";
    case ScatterMark::nearest:
      return "nearest";
    case ScatterMark::standard:
      return "default";
    case ScatterMark::slow:
      return "slow";
    case ScatterMark::disturbed:
      return "disturbed";
  }
  return "";
}

Json spot_json(const ScatterPoint& point) {
  Json json = {{"x", point.x},
               {"y", point.y},
               {"name", shown_name(point.name)},
               {"label", point.label},
               {"text", point.text},
               {"look", point.look},
               {"mark", name_of(point.mark)}};
  if (point.interval) {
    json["low"] = point.interval->low;
    json["high"] = point.interval->high;
  }
  return json;
}

Json look_json(const ScatterLook& look) {
  return {{"name", shown_name(look.name)},
          {"colour", look.colour},
          {"style", look.style},
          {"hollow", look.hollow},
          {"joined", look.joined}};
}

Json scatter_json(const Scatter& scatter, const char* place, const std::string& run) {
  Json chart = {{"kind", "scatter"},
                {"id", scatter.id + run},
                {"place", place},
                {"title", scatter.title},
                {"axis", scatter.up},
                {"note", scatter.note},
                {"across", scatter.across},
                {"stops", scatter.stops},
                {"logarithmic", scatter.logarithmic_up()},
                {"logAcross", scatter.logarithmic_across()},
                {"decimals", 0},
                {"looks", base::mapped(scatter.looks, look_json)},
                {"points", base::mapped(scatter.points, spot_json)}};
  if (scatter.bound) {
    chart["bound"] = {{"value", scatter.bound->value}, {"text", scatter.bound->text}};
  }
  if (scatter.level) {
    chart["level"] = {{"value", scatter.level->value}, {"text", scatter.level->text}};
  }
  return chart;
}

}  // namespace

std::vector<Json> html_answer_chart(const findings::Summary& summary,
                                    std::span<const schema::RunFile> runs) {
  const auto scatter = answer_scatter(summary, charts::latency_budget_ms(runs));
  if (!scatter) return {};
  return {scatter_json(*scatter, places::kAnswer, "")};
}

std::vector<Json> html_visits_charts(std::span<const schema::RunFile> runs) {
  return base::mapped(charts::visits_scatters(runs), [](const Scatter& scatter) {
    return scatter_json(scatter, places::kMain, "");
  });
}

std::vector<Json> html_tuning_charts(const std::vector<findings::Tuning>& tunings) {
  std::vector<Json> charts;
  for (std::size_t i = 0; i < tunings.size(); ++i) {
    const std::string run = i == 0 ? "" : fmt::format("_{}", i + 1);
    for (const Scatter& scatter : tuning_scatters(tunings[i])) {
      // The first leads the page.
      charts.push_back(
          scatter_json(scatter, charts.empty() ? places::kAnswer : places::kTuning, run));
      if (tunings.size() > 1) {
        charts.back()["title"] = shown_name(tunings[i].run) + ": " + scatter.title;
      }
    }
  }
  return charts;
}

}  // namespace batchscope::report
