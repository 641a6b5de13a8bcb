#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/charts/chart_axis.hpp"
#include "batchscope/charts/chart_subjects.hpp"
#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/charts/fitted_law.hpp"
#include "batchscope/charts/intervals.hpp"
#include "batchscope/charts/law_curve.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/charts/stand_outs.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "html_charts.hpp"

namespace batchscope::report {
namespace {

using charts::chart_subjects;
using charts::ChartSubject;
using charts::is_answer;
using charts::kFewestForIntervals;
using charts::law_curve;
using charts::LawCurve;
using charts::mark_words;
using charts::series_names;
using charts::series_style;
using charts::SeriesNames;
using charts::stand_out_at;
using charts::stand_outs;
using charts::StandOut;
using charts::time_by_law;
using charts::time_title;
using charts::title_of;
using charts::ValueAxis;
using findings::ConfigRow;
using findings::Estimate;
using findings::Group;
using findings::Quantity;
using findings::show_column;
using findings::Shown;
using findings::Summary;

std::string with_unit(const Shown& shown, const std::string& unit, bool interval) {
  std::string text = shown.value;
  if (interval && !shown.interval.empty()) text += " " + shown.interval;
  return unit.empty() ? text : text + " " + unit;
}

void mark(Json& point, const Summary& summary, const ConfigRow& row,
          const std::vector<StandOut>& notable) {
  const StandOut* const found = stand_out_at(notable, row.config.shape.batch_size);
  const bool proven = row.verdict == findings::Verdict::proven;
  if (found != nullptr) {
    point["mark"] = found->is_slow() ? "slow" : "fast";
    point["label"] = mark_words(*found);
  } else if (proven) {
    point["mark"] = "slow";
    point["label"] = "proven";
  }
  if (is_answer(summary, row)) {
    point["mark"] = "best";
    point["label"] = found == nullptr ? "best" : "best, " + mark_words(*found);
  }
}

// Those rows that have a value, as points.
class Points {
 public:
  Points(const Summary& summary, const ChartSubject& subject, const Group& group)
      : subject_(subject), group_(group), law_(time_by_law(group)) {
    const std::vector<StandOut> notable = stand_outs(summary, group);
    for (const ConfigRow& row : group.rows) {
      const auto value = subject.value(row);
      if (!value) continue;
      estimates_.push_back(*value);
      rows_.push_back(&row);
    }
    const std::vector<Shown> shown = texts();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      points_.push_back(point(i, shown[i]));
      mark(points_.back(), summary, *rows_[i], notable);
    }
  }

  Json take() { return std::move(points_); }

 private:
  std::vector<Shown> texts() const {
    std::vector<const Estimate*> column;
    for (const Estimate& estimate : estimates_) column.push_back(&estimate);
    return show_column(column, subject_.quantity);
  }

  Json point(std::size_t i, const Shown& shown) const {
    const ConfigRow& row = *rows_[i];
    const Estimate& estimate = estimates_[i];
    const bool interval = estimate.ci && row.n >= kFewestForIntervals;
    Json point = {{"size", row.config.shape.batch_size}, {"value", estimate.value}};
    if (interval) {
      point["low"] = estimate.ci->low;
      point["high"] = estimate.ci->high;
    }
    point["verdict"] = to_string(row.verdict);
    point["text"] = with_unit(shown, subject_.unit, interval);
    // A ratio has its own level to be held against, and the others the law where there is one.
    const bool by_law = law_ && subject_.quantity == Quantity::amount;
    const auto linear = subject_.linear(row, group_);
    // One size scales with nothing.
    if (!by_law && linear && rows_.size() > 1) point["reference"] = *linear;
    return point;
  }

  const ChartSubject& subject_;
  const Group& group_;
  std::function<double(double)> law_;
  std::vector<Estimate> estimates_;
  std::vector<const ConfigRow*> rows_;
  Json points_ = Json::array();
};

bool any_row(const std::vector<Group>& groups, const std::function<bool(const ConfigRow&)>& holds) {
  return std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
    return std::any_of(group.rows.begin(), group.rows.end(), holds);
  });
}

// What the marks mean that the legend does not name.
std::string marks_in_words(const std::vector<Group>& groups, bool references, bool one_reference) {
  std::string note;
  if (references) {
    note = fmt::format("{}: linear scaling from batch {}. ", one_reference ? "Dashed" : "Dotted",
                       groups.front().base_batch_size);
  }
  const bool repeats = any_row(groups, [](const ConfigRow& row) {
    return row.time_ms.ci.has_value() && row.n >= kFewestForIntervals;
  });
  note += repeats ? fmt::format("Bars: {} intervals; an arrow where one leaves the chart.",
                                base::format_level(groups.front().level))
                  : "Too few visits for intervals.";
  const bool suspect = any_row(
      groups, [](const ConfigRow& row) { return row.verdict == findings::Verdict::suspect; });
  if (suspect) note += " Outline: suspect.";
  return note;
}

Json point_json(const LawCurve::Point& point) {
  return {point.size, point.value, point.low, point.high};
}

Json curve_json(const LawCurve& curve) {
  return {{"name", "law of the sizes: " + shown_name(curve.formula)},
          {"band", curve.band},
          {"points", base::mapped(curve.points, point_json)}};
}

ValueAxis axis_of(const ChartSubject& subject, const std::vector<Group>& groups) {
  ValueAxis axis;
  for (const Group& group : groups) {
    for (const ConfigRow& row : group.rows) {
      if (const auto value = subject.value(row)) axis.include(value->value);
    }
  }
  return axis;
}

Json series_json(const Summary& summary, const ChartSubject& subject) {
  const SeriesNames names = series_names(summary.groups);
  Json series = Json::array();
  for (std::size_t g = 0; g < summary.groups.size(); ++g) {
    const bool alone = summary.groups.size() == 1;
    series.push_back({{"name", alone ? "measured" : shown_name(names.own[g])},
                      {"style", g},
                      {"colour", series_style(g).colour},
                      {"dash", g},
                      {"hollow", false},
                      {"points", Points(summary, subject, summary.groups[g]).take()}});
  }
  return series;
}

bool has_reference(const Json& series) {
  return std::any_of(series.begin(), series.end(), [](const Json& one) {
    return std::any_of(one["points"].begin(), one["points"].end(),
                       [](const Json& point) { return point.contains("reference"); });
  });
}

Json chart_json(const Summary& summary, const ChartSubject& subject, bool logarithmic) {
  const bool ratio = subject.quantity == Quantity::ratio;
  const bool shared = summary.groups.size() == 1 || ratio;
  Json series = series_json(summary, subject);
  Json chart = {{"kind", "line"},
                {"id", subject.name},
                {"place", places::kMain},
                {"title", title_of(subject, summary)},
                {"axis", subject.y_title},
                {"note", marks_in_words(summary.groups, has_reference(series), shared)},
                {"logarithmic", logarithmic},
                {"fromZero", false},
                {"decimals", ratio ? 2 : 0},
                {"sharedReference", shared},
                {"curves", Json::array()},
                {"series", std::move(series)}};
  if (const auto curve = law_curve(subject, summary.groups)) {
    chart["curves"].push_back(curve_json(*curve));
  }
  return chart;
}

}  // namespace

std::vector<Json> html_line_charts(const Summary& summary) {
  Json views = Json::array();
  for (const ChartSubject& subject : chart_subjects()) {
    const ValueAxis axis = axis_of(subject, summary.groups);
    if (axis.empty()) continue;
    views.push_back({{"name", subject.short_title},
                     {"chart", chart_json(summary, subject, axis.logarithmic())}});
  }
  if (views.empty()) return {};
  return {Json{{"kind", "views"},
               {"id", "sizes"},
               {"place", places::kMain},
               {"title", time_title(summary)},
               {"axis", ""},
               {"note", ""},
               {"views", std::move(views)}}};
}

}  // namespace batchscope::report
