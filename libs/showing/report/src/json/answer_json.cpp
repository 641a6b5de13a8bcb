#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/schema/json.hpp"
#include "json/document_parts.hpp"

namespace batchscope::report {
namespace {

using findings::Answer;
using findings::AnsweredLatency;
using findings::estimate_json;
using findings::kRatioUnit;
using nlohmann::ordered_json;

ordered_json latency_json(const AnsweredLatency& latency) {
  ordered_json json = {{"typical_ms", estimate_json<ordered_json>(latency.typical_ms)}};
  if (latency.has_quantiles()) {
    json["p95_ms"] = estimate_json<ordered_json>(latency.p95_ms);
    json["p99_ms"] = estimate_json<ordered_json>(latency.p99_ms);
  }
  json["of"] = latency.of;
  return json;
}

}  // namespace

ordered_json gain_json(const findings::Estimate& gain, double level, const std::string& against) {
  ordered_json json = estimate_json<ordered_json>(gain);
  json["unit"] = kRatioUnit;
  json["level"] = level;
  json["against"] = against;
  return json;
}

ordered_json answer_json(const Answer& answer) {
  ordered_json json = {{"kind", to_string(answer.kind)},
                       {"confidence", to_string(answer.confidence)},
                       {"fitness", to_string(answer.fitness)},
                       {"headline", answer.headline},
                       {"setting", answer.setting}};
  if (answer.config) json["config"] = schema::config_json<ordered_json>(*answer.config);
  if (answer.throughput_per_s)
    json["throughput_per_s"] = estimate_json<ordered_json>(*answer.throughput_per_s);
  if (answer.latency) json["latency"] = latency_json(*answer.latency);
  if (answer.gain) json["gain"] = gain_json(*answer.gain, answer.gain_level, answer.against);
  json["sure"] = answer.sure;
  json["machine"] = answer.machine;
  json["next"] = answer.next;
  json["command"] = answer.command;
  json["lines"] = answer.lines;
  return json;
}

}  // namespace batchscope::report
