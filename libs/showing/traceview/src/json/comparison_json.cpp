#include <nlohmann/json.hpp>

#include "batchscope/schema/json.hpp"
#include "batchscope/traceview/trace.hpp"

namespace batchscope::traceview {
namespace {

using advice::Change;
using advice::TraceComparison;
using Json = nlohmann::ordered_json;

Json change_json(const Change& change) {
  return {{"name", change.name},
          {"before_ns", change.before_ns},
          {"after_ns", change.after_ns},
          {"difference_ns", change.difference_ns()}};
}

}  // namespace

std::string comparison_json(const TraceComparison& comparison) {
  Json json = {{"schema_version", 1},
               {"message", comparison.message},
               {"before", comparison.before},
               {"after", comparison.after},
               {"by_step", comparison.by_step},
               {"of_host", comparison.of_host},
               {"steps_before", comparison.steps_before},
               {"steps_after", comparison.steps_after},
               {"steps_shorter", comparison.steps_shorter},
               {"steps_longer", comparison.steps_longer},
               {"mean_before_ns", comparison.mean.before_ns},
               {"mean_after_ns", comparison.mean.after_ns},
               {"recordings_before", comparison.recordings_before},
               {"recordings_after", comparison.recordings_after},
               {"differences", comparison.differences},
               {"wall", change_json(comparison.wall)},
               {"parts", Json::array()},
               {"kernels", Json::array()},
               {"operators", Json::array()},
               {"predictions", Json::array()}};
  for (const Change& change : comparison.parts) json["parts"].push_back(change_json(change));
  for (const Change& change : comparison.kernels) json["kernels"].push_back(change_json(change));
  for (const Change& change : comparison.operators) {
    json["operators"].push_back(change_json(change));
  }
  if (comparison.interval) {
    json["interval"] = {{"low", comparison.interval->low}, {"high", comparison.interval->high}};
  }
  for (const auto& each : comparison.predictions) {
    json["predictions"].push_back({{"id", each.id},
                                   {"low", each.low},
                                   {"high", each.high},
                                   {"gained", each.gained},
                                   {"holds", each.holds}});
  }
  return schema::dump(json) + "\n";
}

}  // namespace batchscope::traceview
