#pragma once

#include <optional>
#include <string>

#include "batchscope/findings/finding.hpp"

// How documents write estimates. `Json` is one of nlohmann's, a parameter because no public header
// shows a third party's.
namespace batchscope::findings {

// {"value", "ci_low", "ci_high"}, the last two where there is an interval.
template <class Json>
Json estimate_json(const Estimate& estimate) {
  Json json = {{"value", estimate.value}};
  if (estimate.ci) {
    json["ci_low"] = estimate.ci->low;
    json["ci_high"] = estimate.ci->high;
  }
  return json;
}

// The same side by side with other fields: under `name`, and `stem` with "_ci_low", "_ci_high" and
// the unit behind; null where there is none.
template <class Json>
void put_estimate(Json& json, const std::string& name, const std::string& stem,
                  const std::optional<Estimate>& estimate, const std::string& unit = "") {
  const bool has_ci = estimate && estimate->ci;
  json[name] = estimate ? Json(estimate->value) : Json();
  json[stem + "_ci_low" + unit] = has_ci ? Json(estimate->ci->low) : Json();
  json[stem + "_ci_high" + unit] = has_ci ? Json(estimate->ci->high) : Json();
}

}  // namespace batchscope::findings
