#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "batchscope/base/units.hpp"
#include "charts/chart_axis.hpp"
#include "charts/chart_style.hpp"
#include "charts/chart_subjects.hpp"
#include "html_charts.hpp"

namespace batchscope::report {
namespace {

using findings::ConfigRow;
using findings::Estimate;
using findings::Group;

std::string with_unit(const Shown& shown, const std::string& unit) {
  std::string text = shown.value;
  if (!shown.interval.empty()) text += " " + shown.interval;
  return unit.empty() ? text : text + " " + unit;
}

Json point_json(const ConfigRow& row, const Estimate& estimate, const std::string& text) {
  Json point = {{"size", row.config.shape.batch_size}, {"value", estimate.value}};
  if (estimate.ci) {
    point["low"] = estimate.ci->low;
    point["high"] = estimate.ci->high;
  }
  point["verdict"] = to_string(row.verdict);
  point["text"] = text;
  return point;
}

Json points_json(const ChartSubject& subject, const Group& group) {
  std::vector<Estimate> estimates;
  std::vector<const ConfigRow*> rows;
  for (const ConfigRow& row : group.rows) {
    const auto value = subject.value(row);
    if (!value) continue;
    estimates.push_back(*value);
    rows.push_back(&row);
  }
  std::vector<const Estimate*> column;
  for (const Estimate& estimate : estimates) column.push_back(&estimate);
  const std::vector<Shown> shown = show_column(column, subject.quantity);
  Json points = Json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    points.push_back(point_json(*rows[i], estimates[i], with_unit(shown[i], subject.unit)));
    if (const auto linear = subject.linear(*rows[i], group)) points.back()["reference"] = *linear;
  }
  return points;
}

template <class Predicate>
bool any_row(const std::vector<Group>& groups, const Predicate& holds) {
  return std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
    return std::any_of(group.rows.begin(), group.rows.end(), holds);
  });
}

bool has_verdict(const std::vector<Group>& groups, findings::Verdict verdict) {
  return any_row(groups, [&](const ConfigRow& row) { return row.verdict == verdict; });
}

bool has_repeats(const std::vector<Group>& groups) {
  return any_row(groups, [](const ConfigRow& row) { return row.time_ms.ci.has_value(); });
}

// What the marks mean, since the legend names series only.
std::string marks_in_words(const std::vector<Group>& groups, bool one_reference) {
  std::string note =
      fmt::format("{}: linear scaling from batch {}. ", one_reference ? "Dashed" : "Dotted",
                  groups.front().base_batch_size);
  note += has_repeats(groups)
              ? fmt::format("Bars: {} intervals.", base::format_level(groups.front().level))
              : "No repeats, so no intervals.";
  if (has_verdict(groups, findings::Verdict::proven)) note += " Ring: proven anomaly.";
  if (has_verdict(groups, findings::Verdict::suspect)) note += " Outline: suspect.";
  return note;
}

ValueAxis axis_of(const ChartSubject& subject, const std::vector<Group>& groups) {
  ValueAxis axis;
  for (const Group& group : groups) {
    for (const ConfigRow& row : group.rows) {
      if (const auto value = subject.value(row)) axis.include(value->value);
      if (const auto linear = subject.linear(row, group)) axis.include(*linear);
    }
  }
  return axis;
}

}  // namespace

std::vector<Json> html_line_charts(const std::vector<Group>& groups) {
  std::vector<Json> charts;
  const SeriesNames names = series_names(groups);
  for (const ChartSubject& subject : chart_subjects()) {
    const ValueAxis axis = axis_of(subject, groups);
    if (axis.empty()) continue;
    const bool ratio = subject.quantity == Quantity::ratio;
    Json chart = {{"kind", "line"},
                  {"id", subject.name},
                  {"title", subject.title},
                  {"axis", subject.y_title},
                  {"note", marks_in_words(groups, groups.size() == 1 || ratio)},
                  {"logarithmic", axis.logarithmic()},
                  {"fromZero", false},
                  {"decimals", ratio ? 2 : 0},
                  {"sharedReference", groups.size() == 1 || ratio},
                  {"series", Json::array()}};
    for (std::size_t g = 0; g < groups.size(); ++g) {
      chart["series"].push_back(
          {{"name", groups.size() == 1 ? "measured" : shown_name(names.own[g])},
           {"style", g},
           {"colour", series_style(g).colour},
           {"dash", g},
           {"hollow", false},
           {"points", points_json(subject, groups[g])}});
    }
    charts.push_back(std::move(chart));
  }
  return charts;
}

}  // namespace batchscope::report
