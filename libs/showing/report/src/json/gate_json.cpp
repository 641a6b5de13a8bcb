#include "batchscope/schema/json.hpp"
#include "json/document_parts.hpp"

namespace batchscope::report {
namespace {

using findings::Gate;
using findings::GateCheck;
using nlohmann::ordered_json;
using schema::config_json;

ordered_json check_json(const GateCheck& check) {
  ordered_json json = {
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
  if (check.config) json["config"] = config_json<ordered_json>(*check.config);
  return json;
}

}  // namespace

ordered_json gate_json(const Gate& gate) {
  ordered_json json = {{"name", to_string(gate.name)},
                       {"outcome", to_string(gate.outcome)},
                       {"message", gate.message},
                       {"level", gate.level},
                       {"checks", ordered_json::array()}};
  if (gate.margin) json["margin"] = *gate.margin;
  if (!gate.advice.empty()) json["advice"] = gate.advice;
  for (const GateCheck& check : gate.checks) json["checks"].push_back(check_json(check));
  return json;
}

}  // namespace batchscope::report
