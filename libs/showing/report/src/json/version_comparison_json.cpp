#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/report/json.hpp"
#include "batchscope/schema/json.hpp"
#include "json/document_parts.hpp"

namespace batchscope::report {
namespace {

using findings::estimate_json;
using findings::VersionComparison;
using findings::VersionRow;
using nlohmann::ordered_json;

ordered_json version_row_json(const VersionRow& row, double margin) {
  ordered_json json = {{"where", row.where},
                       {"base", row.old_name},
                       {"other", row.new_name},
                       {"config", schema::config_json<ordered_json>(row.config)},
                       {"verdict", to_string(row.verdict)},
                       {"margin", margin},
                       {"n", row.n},
                       {"message", row.message}};
  if (row.old_ms) json["base_ms"] = *row.old_ms;
  if (row.new_ms) json["other_ms"] = *row.new_ms;
  if (row.ratio) json["ratio"] = estimate_json<ordered_json>(*row.ratio);
  if (row.bounds) json["slowdown"] = {{"at_least", row.bounds->low}, {"at_most", row.bounds->high}};
  if (row.detectable) json["detectable"] = *row.detectable;
  return json;
}

}  // namespace

std::string to_json(const VersionComparison& comparison) {
  ordered_json json = {{"schema_version", 1},
                       {"verdict", to_string(comparison.verdict)},
                       {"message", comparison.message},
                       {"base", comparison.old_name},
                       {"other", comparison.new_name},
                       {"margin", comparison.margin},
                       {"level", comparison.level},
                       {"unit", comparison.unit},
                       {"comparisons", ordered_json::array()}};
  if (!comparison.advice.empty()) json["advice"] = comparison.advice;
  if (comparison.detectable) json["detectable"] = *comparison.detectable;
  for (const VersionRow& row : comparison.rows) {
    json["comparisons"].push_back(version_row_json(row, comparison.margin));
  }
  json["gate"] = gate_json(comparison.gate);
  json["warnings"] = comparison.warnings;
  return schema::dump(json);
}

}  // namespace batchscope::report
