#include "diagnostics_json.hpp"

#include "batchscope/schema/json.hpp"

namespace batchscope::findings {
namespace {

using Json = nlohmann::ordered_json;
using schema::put;

Json size_json(const SizeDiagnosis& size) {
  Json json = {{"batch_size", size.batch_size}, {"time_ms", size.time_ms}};
  if (size.traced_ms > 0) json["traced_ms"] = size.traced_ms;
  put(json, "minor_faults", size.minor_faults);
  put(json, "major_faults", size.major_faults);
  put(json, "user_ms", size.user_ms);
  put(json, "system_ms", size.system_ms);
  put(json, "voluntary_switches", size.voluntary_switches);
  put(json, "involuntary_switches", size.involuntary_switches);
  if (!size.counters.empty()) json["counters"] = size.counters;
  if (size.busy_threads > 0) json["busy_threads"] = size.busy_threads;
  put(json, "imbalance", size.imbalance);
  put(json, "anonymous_bytes", size.anonymous_bytes);
  put(json, "huge_page_share", size.huge_page_share);
  put(json, "device_busy_share", size.device_busy_share);
  put(json, "created_primitives", size.created_primitives);
  return json;
}

Json rows_json(const std::vector<OperationRow>& rows) {
  Json array = Json::array();
  for (const OperationRow& row : rows) {
    Json at = Json::array();
    for (const auto& cost : row.at) {
      at.push_back(cost ? Json{{"calls", cost->calls}, {"ms", cost->ms}} : Json());
    }
    array.push_back({{"name", row.name}, {"kind", row.kind}, {"at", at}, {"change", row.change}});
  }
  return array;
}

}  // namespace

Json diagnostics_json(const Diagnostics& diagnostics) {
  Json json = {{"tracer", diagnostics.tracer}, {"sizes", Json::array()}};
  for (const SizeDiagnosis& size : diagnostics.sizes) json["sizes"].push_back(size_json(size));
  json["operations"] = rows_json(diagnostics.operations);
  json["primitives"] = rows_json(diagnostics.primitives);
  json["absent"] = diagnostics.absent;
  return json;
}

}  // namespace batchscope::findings
