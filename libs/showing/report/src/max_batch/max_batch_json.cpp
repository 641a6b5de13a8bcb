#include <nlohmann/json.hpp>

#include "batchscope/capacity/max_batch_result.hpp"
#include "batchscope/schema/json.hpp"

namespace batchscope::capacity {
namespace {

using Json = nlohmann::ordered_json;

// What makes a step of training is always there, at its default too.
Json searched_json(const schema::RunConfig& config) {
  Json made = schema::config_json<Json>(schema::without_batch_size(config));
  if (config.mode == schema::Mode::train) {
    made["optimizer"] = config.optimizer;
    made["checkpointing"] = config.checkpointing;
    made["accumulation"] = config.accumulation;
  }
  return made;
}

Json probe_json(const schema::Probe& probe) {
  Json made{{"batch_size", probe.batch_size},
            {"purpose", probe.purpose.text()},
            {"outcome", probe.outcome.text()}};
  if (!probe.message.empty()) made["message"] = probe.message;
  if (probe.limit_bytes > 0) made["limit_bytes"] = probe.limit_bytes;
  if (probe.peak_bytes) made["peak_bytes"] = *probe.peak_bytes;
  if (!probe.peak_of.empty()) made["peak_of"] = probe.peak_of;
  if (probe.reserved_bytes) made["reserved_bytes"] = *probe.reserved_bytes;
  if (probe.iterations > 0) made["iterations"] = probe.iterations;
  if (probe.iteration_ns > 0) made["iteration_ms"] = static_cast<double>(probe.iteration_ns) / 1e6;
  made["wall_s"] = static_cast<double>(probe.wall_ns) / 1e9;
  return made;
}

Json memory_json(const MemoryModel& model) {
  const auto floor = model.floor_bytes ? Json(*model.floor_bytes) : Json();
  return {
      {"intercept_bytes", model.intercept_bytes},   {"slope_bytes", model.slope_bytes},
      {"rms_residual", model.rms_residual},         {"largest_departure", model.largest_departure},
      {"worst_batch_size", model.worst_batch_size}, {"floor_bytes", floor},
      {"floor_until", model.floor_until},           {"jumps", model.jumps}};
}

Json found_json(const FoundBatch& found) {
  Json made = searched_json(found.config);
  made["max_batch_size"] = found.largest;
  made["complete"] = found.complete;
  made["bounded_by"] = found.complete ? to_string(found.bound) : "none";
  made["above"] = found.above ? probe_json(*found.above) : Json();
  for (const LivedSometimes& each : found.lived_sometimes) {
    made["lived_sometimes"].push_back(
        {{"batch_size", each.batch_size}, {"lived", each.lived}, {"tries", each.tries}});
  }
  made["safe_batch_size"] = found.safe ? Json(*found.safe) : Json();
  made["soak"] = found.safe && found.soak ? probe_json(*found.soak) : Json();
  made["memory"] = found.memory ? memory_json(*found.memory) : Json();
  if (found.need) made["need"] = probe_json(*found.need);
  made["probes"] = Json::array();
  for (const schema::Probe& probe : found.probes) made["probes"].push_back(probe_json(probe));
  return made;
}

}  // namespace

std::string max_batch_json(const MaxBatchResult& result) {
  Json made{{"schema_version", schema::kSchemaVersion},
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
  for (const FoundBatch& found : result.found) made["configs"].push_back(found_json(found));
  return schema::dump(made) + "\n";
}

}  // namespace batchscope::capacity
