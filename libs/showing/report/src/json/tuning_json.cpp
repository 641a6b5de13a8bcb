#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/report/json.hpp"
#include "batchscope/schema/json.hpp"
#include "batchscope/schema/run_file.hpp"
#include "json/document_parts.hpp"

namespace batchscope::report {
namespace {

using findings::estimate_json;
using findings::FreshContrast;
using findings::LatencyCheck;
using findings::reported_pick;
using findings::reported_point;
using findings::TunedPoint;
using findings::Tuning;
using nlohmann::ordered_json;
using schema::config_json;

ordered_json point_json(const TunedPoint& point) {
  ordered_json json = config_json<ordered_json>(point.config);
  json["setting"] = point.setting;
  json["throughput_per_s"] = point.throughput_per_s;
  json["time_ms"] = point.time_ms;
  json["mean_ms"] = point.mean_ms;
  json["latency_ms"] = point.latency_ms;
  if (point.memory_bytes) json["memory_bytes"] = *point.memory_bytes;
  json["visits"] = point.visits;
  json["feasible"] = point.feasible;
  if (!point.left_out.empty()) json["left_out"] = point.left_out;
  return json;
}

ordered_json goal_json(const Tuning& tuning) {
  ordered_json json{{"objective", to_string(tuning.objective)},
                    {"latency_of", to_string(tuning.latency_of)}};
  if (tuning.latency_budget_ms) json["latency_budget_ms"] = *tuning.latency_budget_ms;
  if (tuning.memory_limit_bytes) json["memory_limit_bytes"] = *tuning.memory_limit_bytes;
  if (tuning.price_per_hour) json["price_per_hour"] = *tuning.price_per_hour;
  return json;
}

ordered_json latency_json(const LatencyCheck& check) {
  ordered_json json{{"asked", to_string(check.asked)},
                    {"vouched", to_string(check.supported)},
                    {"value_ms", check.value_ms},
                    {"samples", check.samples},
                    {"samples_needed", check.samples_needed},
                    {"settled", check.settled},
                    {"kept", check.kept}};
  if (check.interval_ms) {
    json["ci_low_ms"] = check.interval_ms->low;
    json["ci_high_ms"] = check.interval_ms->high;
  }
  return json;
}

ordered_json recommendation_json(const Tuning& tuning) {
  if (!tuning.pick) return nullptr;
  ordered_json json = point_json(reported_pick(tuning));
  json["fresh_visits"] = tuning.fresh ? tuning.fresh->visits : 0;
  json["objective"] = to_string(tuning.objective);
  if (tuning.cost_per_million) json["cost_per_million"] = *tuning.cost_per_million;
  json["verified"] = tuning.verified;
  json["withdrawn"] = tuning.withdrawn;
  json["undecided"] = tuning.undecided;
  if (tuning.unconfirmed_best && !tuning.undecided)
    json["looks_best"] = point_json(tuning.points[*tuning.unconfirmed_best]);
  if (tuning.visits_needed) json["visits_needed"] = *tuning.visits_needed;
  json["points_measured"] = tuning.points_measured;
  json["points_total"] = tuning.points_total;
  json["good_sizes"] = tuning.good_sizes;
  json["message"] = tuning.message;
  json["verdict"] = tuning.verdict;
  json["advice"] = tuning.advice;
  if (tuning.latency) json["latency_check"] = latency_json(*tuning.latency);
  return json;
}

ordered_json contrasts_json(const std::vector<FreshContrast>& contrasts) {
  ordered_json json = ordered_json::array();
  for (const FreshContrast& each : contrasts) {
    json.push_back({{"what", each.what},
                    {"against", config_json<ordered_json>(each.against)},
                    {"gain", estimate_json<ordered_json>(each.gain)},
                    {"trimmed_gain", estimate_json<ordered_json>(each.trimmed)},
                    {"n", each.n}});
  }
  return json;
}

ordered_json front_json(const Tuning& tuning, const std::vector<std::size_t>& front) {
  ordered_json json = ordered_json::array();
  for (const std::size_t point : front) json.push_back(point_json(reported_point(tuning, point)));
  return json;
}

}  // namespace

ordered_json tuning_json(const Tuning& tuning) {
  ordered_json points = ordered_json::array();
  for (const TunedPoint& point : tuning.points) points.push_back(point_json(point));
  ordered_json json;
  if (!tuning.run.empty()) json["run"] = tuning.run;
  json["goal"] = goal_json(tuning);
  json["recommendation"] = recommendation_json(tuning);
  json["default"] = tuning.standard ? point_json(tuning.points[*tuning.standard]) : ordered_json();
  json["feasible"] = tuning.feasible;
  json["message"] = tuning.message;
  json["contrasts"] = contrasts_json(tuning.contrasts);
  json["fronts"] = {{"latency", front_json(tuning, tuning.latency_front)},
                    {"memory", front_json(tuning, tuning.memory_front)}};
  json["points"] = std::move(points);
  json["points_measured"] = tuning.points_measured;
  json["points_total"] = tuning.points_total;
  json["visits"] = tuning.visits;
  if (!tuning.end_reason.empty()) json["end_reason"] = tuning.end_reason.text();
  json["warnings"] = tuning.warnings;
  if (tuning.share_of_best) {
    json["share_of_best"] = *tuning.share_of_best;
    json["points_recorded"] = tuning.points_recorded;
  }
  if (tuning.best) json["best"] = config_json<ordered_json>(*tuning.best);
  return json;
}

std::string to_json(const Tuning& tuning) {
  ordered_json json{{"schema_version", schema::kSchemaVersion},
                    {"answer", answer_json(tuning.answer)}};
  json.update(tuning_json(tuning));
  return schema::dump(json);
}

}  // namespace batchscope::report
