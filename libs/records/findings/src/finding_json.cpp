#include <nlohmann/json.hpp>

#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/findings/finding.hpp"
#include "batchscope/schema/json.hpp"
#include "place_json.hpp"

namespace batchscope::findings {
namespace {

using Json = nlohmann::ordered_json;

Json interval_json(const stats::Interval& interval) {
  return {{"low", interval.low}, {"high", interval.high}};
}

Json where_json(const Finding& finding) {
  Json where = place_json(finding.where);
  if (!finding.batch_sizes.empty()) where["batch_sizes"] = finding.batch_sizes;
  return where;
}

}  // namespace

std::string to_json(const Finding& finding) {
  Json json = {{"id", finding.id},
               {"severity", to_string(finding.severity)},
               {"status", to_string(finding.status)},
               {"where", where_json(finding)},
               {"message", finding.what},
               {"evidence", Json::array()}};
  for (const Evidence& evidence : finding.evidence) {
    Json item = {{"metric", evidence.metric}};
    item.update(estimate_json<Json>(evidence.estimate));
    item["unit"] = evidence.unit;
    json["evidence"].push_back(std::move(item));
  }
  if (finding.p_value) json["p_value"] = *finding.p_value;
  if (!finding.table.empty()) json["table"] = finding.table;
  if (!finding.cause.empty()) json["cause"] = finding.cause;
  if (finding.gain) {
    json["gain"] = interval_json(*finding.gain);
    json["gain"]["unit"] = finding.gain_unit;
  }
  if (!finding.fix.empty()) json["fix"] = finding.fix;
  if (!finding.doc.empty()) json["doc"] = finding.doc;
  return schema::dump(json, -1);
}

}  // namespace batchscope::findings
