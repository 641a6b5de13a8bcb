#include <nlohmann/json.hpp>

#include "batchscope/api/largest_batch_results.hpp"
#include "batchscope/schema/json.hpp"

namespace batchscope::api {
namespace {

using Json = nlohmann::ordered_json;

// What makes a step of training is always there, at its default too.
Json searched_json(const schema::RunConfig& config) {
  Json json = schema::config_json<Json>(schema::without_batch_size(config));
  if (config.mode == schema::Mode::train) {
    json["optimizer"] = config.optimizer;
    json["checkpointing"] = config.checkpointing;
    json["accumulation"] = config.accumulation;
  }
  return json;
}

Json probe_json(const schema::Probe& probe) {
  Json json{{"batch_size", probe.batch_size},
            {"purpose", probe.purpose.text()},
            {"outcome", probe.outcome.text()}};
  if (!probe.message.empty()) json["message"] = probe.message;
  if (probe.limit_bytes > 0) json["limit_bytes"] = probe.limit_bytes;
  if (probe.peak_bytes) json["peak_bytes"] = *probe.peak_bytes;
  if (!probe.peak_of.empty()) json["peak_of"] = probe.peak_of;
  if (probe.reserved_bytes) json["reserved_bytes"] = *probe.reserved_bytes;
  if (probe.iterations > 0) json["iterations"] = probe.iterations;
  if (probe.iteration_ns > 0) json["iteration_ms"] = static_cast<double>(probe.iteration_ns) / 1e6;
  json["wall_s"] = static_cast<double>(probe.wall_ns) / 1e9;
  return json;
}

Json memory_json(const capacity::MemoryModel& model) {
  const auto floor = model.floor_bytes ? Json(*model.floor_bytes) : Json();
  return {
      {"intercept_bytes", model.intercept_bytes},   {"slope_bytes", model.slope_bytes},
      {"rms_residual", model.rms_residual},         {"largest_departure", model.largest_departure},
      {"worst_batch_size", model.worst_batch_size}, {"floor_bytes", floor},
      {"floor_until", model.floor_until},           {"jumps", model.jumps}};
}

Json found_json(const capacity::FoundBatch& found) {
  Json json = searched_json(found.config);
  json["max_batch_size"] = found.largest;
  json["complete"] = found.complete;
  json["bounded_by"] = found.complete ? capacity::to_string(found.bound) : "none";
  json["above"] = found.above ? probe_json(*found.above) : Json();
  for (const capacity::LivedSometimes& each : found.lived_sometimes) {
    json["lived_sometimes"].push_back(
        {{"batch_size", each.batch_size}, {"lived", each.lived}, {"tries", each.tries}});
  }
  json["safe_batch_size"] = found.safe ? Json(*found.safe) : Json();
  json["soak"] = found.safe && found.soak ? probe_json(*found.soak) : Json();
  json["memory"] = found.memory ? memory_json(*found.memory) : Json();
  if (found.need) json["need"] = probe_json(*found.need);
  json["probes"] = Json::array();
  for (const schema::Probe& probe : found.probes) json["probes"].push_back(probe_json(probe));
  return json;
}

}  // namespace

std::string max_batch_json(const MaxBatchResult& result) {
  Json json{{"schema_version", schema::kSchemaVersion},
            {"answer", Json::parse(findings::to_json(result.answer))},
            {"end_reason", result.end_reason},
            {"limit",
             {{"bytes", result.plan.limit_bytes > 0 ? Json(result.plan.limit_bytes) : Json()},
              {"of", result.plan.limit_of},
              {"kind", result.limit_kind}}},
            {"margin", result.plan.margin},
            {"soak_s", result.plan.soak_s},
            {"configs", Json::array()},
            {"warnings", result.warnings}};
  for (const capacity::FoundBatch& found : result.found)
    json["configs"].push_back(found_json(found));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace batchscope::api
