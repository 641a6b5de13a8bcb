#include <nlohmann/json.hpp>

#include "batchscope/report/max_batch.hpp"
#include "batchscope/schema/json.hpp"
#include "json/document_parts.hpp"

namespace batchscope::report {
namespace {

using capacity::FoundBatch;
using nlohmann::ordered_json;

// What makes a step of training is always there, at its default too.
ordered_json searched_json(const schema::RunConfig& config) {
  ordered_json made = schema::config_json<ordered_json>(schema::without_batch_size(config));
  if (config.mode == schema::Mode::train) {
    made["optimizer"] = config.optimizer;
    made["checkpointing"] = config.checkpointing;
    made["accumulation"] = config.accumulation;
  }
  return made;
}

ordered_json probe_json(const schema::Probe& probe) {
  ordered_json made{{"batch_size", probe.batch_size},
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

ordered_json memory_json(const capacity::MemoryModel& model) {
  const auto floor = model.floor_bytes ? ordered_json(*model.floor_bytes) : ordered_json();
  return {
      {"intercept_bytes", model.intercept_bytes},   {"slope_bytes", model.slope_bytes},
      {"rms_residual", model.rms_residual},         {"largest_departure", model.largest_departure},
      {"worst_batch_size", model.worst_batch_size}, {"floor_bytes", floor},
      {"floor_until", model.floor_until},           {"jumps", model.jumps}};
}

ordered_json found_json(const FoundBatch& found) {
  ordered_json made = searched_json(found.config);
  made["max_batch_size"] = found.largest;
  made["complete"] = found.complete;
  made["bounded_by"] = found.complete ? to_string(found.bound) : "none";
  made["above"] = found.above ? probe_json(*found.above) : ordered_json();
  for (const capacity::LivedSometimes& each : found.lived_sometimes) {
    made["lived_sometimes"].push_back(
        {{"batch_size", each.batch_size}, {"lived", each.lived}, {"tries", each.tries}});
  }
  made["safe_batch_size"] = found.safe ? ordered_json(*found.safe) : ordered_json();
  made["soak"] = found.safe && found.soak ? probe_json(*found.soak) : ordered_json();
  made["memory"] = found.memory ? memory_json(*found.memory) : ordered_json();
  if (found.need) made["need"] = probe_json(*found.need);
  made["probes"] = ordered_json::array();
  for (const schema::Probe& probe : found.probes) made["probes"].push_back(probe_json(probe));
  return made;
}

}  // namespace

std::string max_batch_json(const capacity::MaxBatchResult& result) {
  ordered_json made{{"schema_version", schema::kSchemaVersion},
                    {"answer", answer_json(result.answer)},
                    {"end_reason", result.end_reason},
                    {"limit",
                     {{"bytes", result.plan.limit_bytes > 0 ? ordered_json(result.plan.limit_bytes)
                                                            : ordered_json()},
                      {"of", result.plan.limit_of},
                      {"kind", result.limit_kind}}},
                    {"margin", result.plan.margin},
                    {"soak_s", result.plan.soak_s},
                    {"configs", ordered_json::array()},
                    {"warnings", result.warnings}};
  for (const FoundBatch& found : result.found) made["configs"].push_back(found_json(found));
  return schema::dump(made) + "\n";
}

}  // namespace batchscope::report
