#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/report/machine.hpp"
#include "batchscope/schema/json.hpp"

namespace batchscope::report {

std::string calibration_text(const study::Calibration& calibration) {
  const auto& [noise, limits] = calibration;
  const stats::Interval& ci = *noise.difference.ci;
  std::string text = fmt::format(
      "A/A: {} of visits of the same configuration; B / A = {:.4f} [{:.4f}, {:.4f}] (true "
      "value 1{})\n"
      "noise of one visit: sd {}; the worst visit was {} from its median\n",
      base::counted(noise.pairs, "pair"), noise.difference.value, ci.low, ci.high,
      ci.low <= 1 && 1 <= ci.high ? "" : ": MISSED", findings::percent(noise.visit_sd),
      findings::percent(noise.worst_visit));
  text += fmt::format(
      "excess added in virtual time at this noise, batch sizes 1,2,3,4,6,8, 12 blocks, {} "
      "experiments each:\n",
      limits.experiments);
  text +=
      fmt::format("  no excess: something claimed in {}\n", findings::percent(limits.false_alarms));
  for (const study::Detection& point : limits.curve) {
    text += fmt::format("  {:>4} slower at one size: found at this size only in {}\n",
                        base::format_level(point.excess), findings::percent(point.found));
  }
  if (!limits.smallest)
    return text +
           "no excess up to 50 % is detectable here: see docs/guide/measure/reducing-variance.md\n";
  return text +
         fmt::format("smallest detectable slowdown on this machine at the default budget: {}\n",
                     base::format_level(*limits.smallest));
}

std::string calibration_json(const study::Calibration& calibration) {
  const auto& [noise, limits] = calibration;
  nlohmann::json out{{"schema_version", 1},
                     {"pairs", noise.pairs},
                     {"difference", findings::estimate_json<nlohmann::json>(noise.difference)},
                     {"visit_sd", noise.visit_sd},
                     {"worst_visit", noise.worst_visit},
                     {"experiments", limits.experiments},
                     {"false_alarms", limits.false_alarms},
                     {"detection", nlohmann::json::array()}};
  for (const study::Detection& point : limits.curve) {
    out["detection"].push_back({{"excess", point.excess}, {"found", point.found}});
  }
  if (limits.smallest) out["smallest_excess"] = *limits.smallest;
  return schema::dump(out) + "\n";
}

}  // namespace batchscope::report
