#include "batchscope/base/units.hpp"
#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/findings/version_comparison.hpp"
#include "batchscope/schema/json.hpp"
#include "document_parts.hpp"

namespace batchscope::findings {
namespace {

using Json = nlohmann::ordered_json;

Json version_row_json(const VersionRow& row, double margin) {
  Json json = {{"where", row.where},
               {"base", row.old_name},
               {"other", row.new_name},
               {"config", schema::config_json<Json>(row.config)},
               {"verdict", to_string(row.verdict)},
               {"margin", margin},
               {"n", row.n},
               {"message", row.message}};
  if (row.old_ms) json["base_ms"] = *row.old_ms;
  if (row.new_ms) json["other_ms"] = *row.new_ms;
  if (row.ratio) json["ratio"] = estimate_json<Json>(*row.ratio);
  if (row.bounds) json["slowdown"] = {{"at_least", row.bounds->low}, {"at_most", row.bounds->high}};
  if (row.detectable) json["detectable"] = *row.detectable;
  return json;
}

}  // namespace

std::string_view to_string(VersionVerdict verdict) {
  switch (verdict) {
    case VersionVerdict::slower:
      return "slower";
    case VersionVerdict::faster:
      return "faster";
    case VersionVerdict::equal:
      return "equal";
    case VersionVerdict::not_slower:
      return "not-slower";
    case VersionVerdict::cannot_tell:
      break;
  }
  return "cannot-tell";
}

std::string in_words(VersionVerdict verdict, double margin) {
  switch (verdict) {
    case VersionVerdict::slower:
      return "slower, shown";
    case VersionVerdict::faster:
      return "faster, shown";
    case VersionVerdict::equal:
      return "equal within " + base::format_level(margin);
    case VersionVerdict::not_slower:
      return "not slower, shown";
    case VersionVerdict::cannot_tell:
      break;
  }
  return "cannot tell";
}

std::string to_json(const VersionComparison& comparison) {
  Json json = {{"schema_version", 1},           {"verdict", to_string(comparison.verdict)},
               {"message", comparison.message}, {"base", comparison.old_name},
               {"other", comparison.new_name},  {"margin", comparison.margin},
               {"level", comparison.level},     {"unit", comparison.unit},
               {"comparisons", Json::array()}};
  if (!comparison.advice.empty()) json["advice"] = comparison.advice;
  if (comparison.detectable) json["detectable"] = *comparison.detectable;
  for (const VersionRow& row : comparison.rows) {
    json["comparisons"].push_back(version_row_json(row, comparison.margin));
  }
  json["gate"] = gate_json(comparison.gate);
  json["warnings"] = comparison.warnings;
  return schema::dump(json);
}

}  // namespace batchscope::findings
