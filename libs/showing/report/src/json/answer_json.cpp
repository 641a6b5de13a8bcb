#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/schema/json.hpp"
#include "document_parts.hpp"

namespace batchscope::findings {
namespace {

using Json = nlohmann::ordered_json;

Json latency_json(const AnsweredLatency& latency) {
  Json json = {{"typical_ms", estimate_json<Json>(latency.typical_ms)}};
  if (latency.has_quantiles()) {
    json["p95_ms"] = estimate_json<Json>(latency.p95_ms);
    json["p99_ms"] = estimate_json<Json>(latency.p99_ms);
  }
  json["of"] = latency.of;
  return json;
}

}  // namespace

Json answer_json(const Answer& answer) {
  Json json = {{"kind", to_string(answer.kind)},
               {"confidence", to_string(answer.confidence)},
               {"fitness", to_string(answer.fitness)},
               {"headline", answer.headline},
               {"setting", answer.setting}};
  if (answer.config) json["config"] = schema::config_json<Json>(*answer.config);
  if (answer.throughput_per_s)
    json["throughput_per_s"] = estimate_json<Json>(*answer.throughput_per_s);
  if (answer.latency) json["latency"] = latency_json(*answer.latency);
  if (answer.gain) {
    json["gain"] = estimate_json<Json>(*answer.gain);
    json["gain"]["unit"] = kRatioUnit;
    json["gain"]["level"] = answer.gain_level;
    json["gain"]["against"] = answer.against;
  }
  json["sure"] = answer.sure;
  json["machine"] = answer.machine;
  json["next"] = answer.next;
  json["command"] = answer.command;
  json["lines"] = answer.lines;
  return json;
}

std::string to_json(const Answer& answer) {
  return schema::dump(answer_json(answer));
}

}  // namespace batchscope::findings
