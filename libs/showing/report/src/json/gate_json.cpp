#include "batchscope/schema/json.hpp"
#include "document_parts.hpp"

namespace batchscope::findings {
namespace {

using Json = nlohmann::ordered_json;
using schema::config_json;

Json check_json(const GateCheck& check) {
  Json json = {
      {"name", check.name}, {"outcome", to_string(check.outcome)}, {"message", check.message}};
  if (check.slowdown) {
    json["slowdown"] = {{"value", check.slowdown->value}};
    if (const auto& bounds = check.slowdown->ci) {
      json["slowdown"]["at_least"] = bounds->low;
      json["slowdown"]["at_most"] = bounds->high;
    }
    if (check.at_best) json["slowdown"]["at_best"] = *check.at_best;
    json["n"] = check.n;
  }
  if (check.smallest_shown) json["smallest_shown"] = *check.smallest_shown;
  if (check.detectable) json["detectable"] = *check.detectable;
  if (check.needed) json["needed"] = *check.needed;
  if (check.config) json["config"] = config_json<Json>(*check.config);
  return json;
}

}  // namespace

Json gate_json(const Gate& gate) {
  Json json = {{"name", to_string(gate.name)},
               {"outcome", to_string(gate.outcome)},
               {"message", gate.message},
               {"level", gate.level},
               {"checks", Json::array()}};
  if (gate.margin) json["margin"] = *gate.margin;
  if (!gate.advice.empty()) json["advice"] = gate.advice;
  for (const GateCheck& check : gate.checks) json["checks"].push_back(check_json(check));
  return json;
}

}  // namespace batchscope::findings
