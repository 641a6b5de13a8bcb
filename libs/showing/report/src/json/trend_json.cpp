#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/report/json.hpp"
#include "batchscope/schema/json.hpp"
#include "json/document_parts.hpp"

namespace batchscope::report {
namespace {

using findings::estimate_json;
using findings::Trend;
using findings::TrendChange;
using findings::TrendLevel;
using findings::TrendPoint;
using findings::TrendRun;
using findings::TrendSeries;
using nlohmann::ordered_json;

ordered_json change_json(const TrendChange& change) {
  return {{"run", change.run},
          {"earliest", change.earliest},
          {"latest", change.latest},
          {"ratio", estimate_json<ordered_json>(change.ratio)},
          {"message", change.message}};
}

ordered_json series_json(const TrendSeries& series) {
  ordered_json json = {{"label", series.label},
                       {"config", schema::config_json<ordered_json>(series.config)},
                       {"points", ordered_json::array()},
                       {"levels", ordered_json::array()},
                       {"changes", ordered_json::array()}};
  if (!series.machine.empty()) json["machine"] = series.machine;
  if (series.detectable) json["detectable"] = *series.detectable;
  for (const TrendPoint& point : series.points) {
    json["points"].push_back({{"run", point.run}, {"time_ms", point.ms}});
  }
  for (const TrendLevel& level : series.levels) {
    json["levels"].push_back(
        {{"first_run", level.first_run}, {"last_run", level.last_run}, {"time_ms", level.ms}});
  }
  for (const TrendChange& change : series.changes) json["changes"].push_back(change_json(change));
  if (series.drift) json["drift"] = change_json(*series.drift);
  return json;
}

}  // namespace

std::string to_json(const Trend& trend) {
  ordered_json json = {{"schema_version", 1},
                       {"message", trend.message},
                       {"level", trend.level},
                       {"runs", ordered_json::array()},
                       {"series", ordered_json::array()},
                       {"warnings", trend.warnings}};
  for (const TrendRun& run : trend.runs) {
    json["runs"].push_back(
        {{"label", run.label}, {"created", run.created}, {"machine", run.machine}});
  }
  for (const TrendSeries& series : trend.series) json["series"].push_back(series_json(series));
  return schema::dump(json);
}

}  // namespace batchscope::report
