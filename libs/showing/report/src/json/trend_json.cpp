#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/findings/trend.hpp"
#include "batchscope/schema/json.hpp"
#include "document_parts.hpp"

namespace batchscope::findings {
namespace {

using Json = nlohmann::ordered_json;

Json change_json(const TrendChange& change) {
  return {{"run", change.run},
          {"earliest", change.earliest},
          {"latest", change.latest},
          {"ratio", estimate_json<Json>(change.ratio)},
          {"message", change.message}};
}

Json series_json(const TrendSeries& series) {
  Json json = {{"label", series.label},
               {"config", schema::config_json<Json>(series.config)},
               {"points", Json::array()},
               {"levels", Json::array()},
               {"changes", Json::array()}};
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
  Json json = {{"schema_version", 1},   {"message", trend.message}, {"level", trend.level},
               {"runs", Json::array()}, {"series", Json::array()},  {"warnings", trend.warnings}};
  for (const TrendRun& run : trend.runs) {
    json["runs"].push_back(
        {{"label", run.label}, {"created", run.created}, {"machine", run.machine}});
  }
  for (const TrendSeries& series : trend.series) json["series"].push_back(series_json(series));
  return schema::dump(json);
}

}  // namespace batchscope::findings
