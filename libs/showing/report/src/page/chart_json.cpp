#include <nlohmann/json.hpp>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/charts/series.hpp"
#include "html_charts.hpp"

namespace batchscope::report {
namespace {

using charts::PointMark;
using charts::ScatterMark;
using charts::series_style;
using charts::shown_name;

Json head_json(const char* kind, const charts::FigureTexts& texts) {
  return {{"kind", kind},
          {"id", texts.id},
          {"title", texts.title},
          {"axis", texts.axis},
          {"note", texts.note}};
}

const char* name_of(PointMark mark) {
  return mark == PointMark::best ? "best" : mark == PointMark::slow ? "slow" : "fast";
}

void add_interval(Json& json, const std::optional<stats::Interval>& interval) {
  if (!interval) return;
  json["low"] = interval->low;
  json["high"] = interval->high;
}

Json point_json(const charts::SizePoint& point) {
  Json json = {{"size", point.size}, {"value", point.value}};
  add_interval(json, point.interval);
  json["verdict"] = to_string(point.verdict);
  json["text"] = point.text;
  if (point.reference) json["reference"] = *point.reference;
  if (point.mark != PointMark::none) json["mark"] = name_of(point.mark);
  if (!point.label.empty()) json["label"] = point.label;
  return json;
}

Json series_json(const charts::SizeSeries& series) {
  return {{"name", series.name},
          {"style", series.style},
          {"colour", series_style(series.style).colour},
          {"dash", series.dash},
          {"hollow", series.hollow},
          {"points", base::mapped(series.points, point_json)}};
}

Json curve_json(const charts::LawCurve& curve) {
  return {{"name", curve.name},
          {"band", curve.band},
          {"points", base::mapped(curve.points, [](const charts::LawCurve::Point& point) {
             return Json{point.size, point.value, point.low, point.high};
           })}};
}

Json bound_json(const charts::ScatterBound& bound) {
  return {{"value", bound.value}, {"text", bound.text}};
}

Json box_json(const charts::Box& box) {
  return {{"size", box.size},   {"low", box.low},   {"q1", box.q1},         {"median", box.median},
          {"q3", box.q3},       {"high", box.high}, {"points", box.points}, {"above", box.above},
          {"below", box.below}, {"text", box.text}};
}

Json boxes_json(const charts::BoxSeries& series) {
  return {{"name", series.name},
          {"style", series.style},
          {"colour", series_style(series.style).colour},
          {"boxes", base::mapped(series.boxes, box_json)}};
}

Json phase_json(const charts::StackPhase& phase) {
  return {{"name", phase.name}, {"colour", phase.colour}, {"style", phase.style}};
}

Json part_json(const charts::StackPart& part) {
  return {{"share", part.share}, {"ms", part.ms}, {"text", part.text}};
}

Json bar_json(const charts::StackBar& bar) {
  return {{"size", bar.size},
          {"mean", bar.mean_ms},
          {"text", bar.text},
          {"parts", base::mapped(bar.parts, part_json)}};
}

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

Json spot_json(const charts::ScatterPoint& point) {
  Json json = {{"x", point.x},
               {"y", point.y},
               {"name", shown_name(point.name)},
               {"label", point.label},
               {"text", point.text},
               {"look", point.look},
               {"mark", name_of(point.mark)}};
  add_interval(json, point.interval);
  return json;
}

Json look_json(const charts::ScatterLook& look) {
  return {{"name", shown_name(look.name)},
          {"colour", look.colour},
          {"style", look.style},
          {"hollow", look.hollow},
          {"joined", look.joined}};
}

}  // namespace

Json chart_json(const charts::SizeFigure& figure) {
  Json json = head_json("line", figure.texts);
  json["logarithmic"] = figure.logarithmic;
  json["fromZero"] = figure.from_zero;
  json["decimals"] = figure.ratio ? 2 : 0;
  json["sharedReference"] = figure.shared_reference;
  if (figure.stems) json["stems"] = true;
  json["curves"] = base::mapped(figure.curves, curve_json);
  if (figure.limit) json["limit"] = bound_json(*figure.limit);
  json["series"] = base::mapped(figure.series, series_json);
  return json;
}

Json chart_json(const charts::BoxFigure& figure) {
  Json json = head_json("box", figure.texts);
  json["logarithmic"] = figure.logarithmic;
  json["decimals"] = figure.ratio ? 2 : 0;
  json["bottom"] = figure.window.low;
  json["top"] = figure.window.high;
  json["series"] = base::mapped(figure.series, boxes_json);
  return json;
}

Json chart_json(const charts::StackFigure& figure) {
  Json json = head_json("stack", figure.texts);
  json["phases"] = base::mapped(figure.phases, phase_json);
  json["bars"] = base::mapped(figure.bars, bar_json);
  return json;
}

Json chart_json(const charts::Scatter& scatter) {
  Json json = head_json("scatter", {scatter.id, scatter.title, scatter.up, scatter.note});
  json["across"] = scatter.across;
  json["stops"] = scatter.stops;
  json["logarithmic"] = scatter.logarithmic_up();
  json["logAcross"] = scatter.logarithmic_across();
  json["decimals"] = 0;
  json["styles"] = base::mapped(scatter.styles, look_json);
  json["points"] = base::mapped(scatter.points, spot_json);
  if (scatter.bound) json["bound"] = bound_json(*scatter.bound);
  if (scatter.level) json["level"] = bound_json(*scatter.level);
  return json;
}

}  // namespace batchscope::report
