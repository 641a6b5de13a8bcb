#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/schema/json.hpp"
#include "json/document_parts.hpp"

namespace batchscope::report {
namespace {

using findings::estimate_json;
using findings::LoaderRow;
using findings::StepTime;
using nlohmann::ordered_json;

ordered_json steps_json(const std::vector<StepTime>& steps) {
  ordered_json array = ordered_json::array();
  for (const StepTime& each : steps) {
    array.push_back({{"step_ms", each.step_ms},
                     {"iteration_ms", estimate_json<ordered_json>(each.iteration_ms)},
                     {"wait_ms", estimate_json<ordered_json>(each.wait_ms)}});
  }
  return array;
}

void put_memory(const char* name, const std::optional<schema::WorkerMemory>& memory,
                ordered_json& json) {
  if (!memory) return;
  json[name] = {{"pss_bytes", memory->pss_bytes},
                {"private_dirty_bytes", memory->private_dirty_bytes}};
}

}  // namespace

ordered_json loader_json(const LoaderRow& row) {
  ordered_json json = schema::config_json<ordered_json>(row.config);
  json["n"] = row.n;
  json["iteration_ms"] = estimate_json<ordered_json>(row.iteration_ms);
  json["wait_ms"] = row.wait_ms;
  json["own_ms"] = row.own_ms;
  json["fetch_ms"] = row.fetch_ms;
  json["collate_ms"] = row.collate_ms;
  json["typical_ms"] = row.typical_ms;
  json["slow_ms"] = row.slow_ms;
  json["cpu_ms"] = row.cpu_ms;
  json["first_batch_ms"] = row.first_batch_ms;
  json["new_epoch_ms"] = row.new_epoch_ms;
  schema::put(json, "handover_ms", row.handover_ms);
  schema::put(json, "samples", row.samples);
  if (row.copies) {
    json["copies_ms"] = {{"pin", static_cast<double>(row.copies->pin_ns) * 1e-6},
                         {"pageable", static_cast<double>(row.copies->pageable_ns) * 1e-6},
                         {"pinned", static_cast<double>(row.copies->pinned_ns) * 1e-6}};
  }
  put_memory("worker_begun", row.begun, json);
  put_memory("worker_ended", row.ended, json);
  json["epoch_share"] = row.epoch_share;
  json["steps"] = steps_json(row.steps);
  json["between"] = steps_json(row.between);
  if (row.shortest_step_ms) {
    json["shortest_step_ms"] = estimate_json<ordered_json>(*row.shortest_step_ms);
  }
  json["always_waits"] = row.always_waits;
  return json;
}

}  // namespace batchscope::report
