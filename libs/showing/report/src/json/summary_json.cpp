#include <nlohmann/json.hpp>

#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/report/json.hpp"
#include "batchscope/schema/json.hpp"
#include "batchscope/schema/run_file.hpp"
#include "json/document_parts.hpp"

namespace batchscope::report {
namespace {

using findings::Comparison;
using findings::ConfigRow;
using findings::Diagnostics;
using findings::estimate_json;
using findings::Exclusion;
using findings::Finding;
using findings::Gate;
using findings::Group;
using findings::InputRun;
using findings::kRatioUnit;
using findings::MemoryJump;
using findings::MemoryLaw;
using findings::OperationRow;
using findings::Recommendation;
using findings::SizeDiagnosis;
using findings::Summary;
using findings::TimeLaw;
using findings::Tuning;
using nlohmann::ordered_json;
using schema::config_json;
using schema::put;

ordered_json size_json(const SizeDiagnosis& size) {
  ordered_json json = {{"batch_size", size.batch_size}, {"time_ms", size.time_ms}};
  if (size.traced_ms > 0) json["traced_ms"] = size.traced_ms;
  put(json, "minor_faults", size.minor_faults);
  put(json, "major_faults", size.major_faults);
  put(json, "user_ms", size.user_ms);
  put(json, "system_ms", size.system_ms);
  put(json, "voluntary_switches", size.voluntary_switches);
  put(json, "involuntary_switches", size.involuntary_switches);
  if (!size.counters.empty()) json["counters"] = size.counters;
  if (size.busy_threads > 0) json["busy_threads"] = size.busy_threads;
  put(json, "imbalance", size.imbalance);
  put(json, "anonymous_bytes", size.anonymous_bytes);
  put(json, "huge_page_share", size.huge_page_share);
  put(json, "device_busy_share", size.device_busy_share);
  put(json, "created_primitives", size.created_primitives);
  return json;
}

ordered_json rows_json(const std::vector<OperationRow>& rows) {
  ordered_json array = ordered_json::array();
  for (const OperationRow& row : rows) {
    ordered_json at = ordered_json::array();
    for (const auto& cost : row.at) {
      at.push_back(cost ? ordered_json{{"calls", cost->calls}, {"ms", cost->ms}} : ordered_json());
    }
    array.push_back({{"name", row.name}, {"kind", row.kind}, {"at", at}, {"change", row.change}});
  }
  return array;
}

ordered_json diagnostics_json(const Diagnostics& diagnostics) {
  ordered_json json = {{"tracer", diagnostics.tracer}, {"sizes", ordered_json::array()}};
  for (const SizeDiagnosis& size : diagnostics.sizes) json["sizes"].push_back(size_json(size));
  json["operations"] = rows_json(diagnostics.operations);
  json["primitives"] = rows_json(diagnostics.primitives);
  json["absent"] = diagnostics.absent;
  return json;
}

ordered_json input_json(const InputRun& input) {
  ordered_json json = {{"path", input.path},
                       {"created", input.created},
                       {"host", input.host},
                       {"cpu", input.cpu},
                       {"end_reason", input.end_reason.text()},
                       {"blocks", input.blocks},
                       {"wall_s", input.wall_s},
                       {"iteration_share", input.iteration_share},
                       {"target", input.target}};
  if (input.half_width) json["half_width"] = *input.half_width;
  return json;
}

ordered_json law_json(const TimeLaw& law) {
  return {{"kind", law.kind},
          {"formula", law.formula},
          {"coefficients", law.coefficients},
          {"largest_loo_error", law.largest_loo_error},
          {"worst_batch_size", law.worst_batch_size}};
}

ordered_json memory_law_json(const MemoryLaw& law) {
  ordered_json json = {{"of", to_string(law.of)},
                       {"base_bytes", law.base_bytes},
                       {"per_sample_bytes", law.per_sample_bytes},
                       {"largest_departure", law.largest_departure},
                       {"worst_batch_size", law.worst_batch_size},
                       {"jumps", ordered_json::array()},
                       {"message", law.message}};
  for (const MemoryJump& jump : law.jumps) {
    json["jumps"].push_back({{"batch_size", jump.batch_size}, {"excess_bytes", jump.excess_bytes}});
  }
  if (law.limit_bytes) {
    json["limit_bytes"] = *law.limit_bytes;
    json["limit_of"] = law.limit_of;
  }
  if (law.largest_batch_size) json["predicted_largest_batch_size"] = *law.largest_batch_size;
  return json;
}

ordered_json left_out_json(const Exclusion& left_out) {
  ordered_json json = config_json<ordered_json>(left_out.config);
  json["reason"] = to_string(left_out.reason);
  return json;
}

ordered_json group_json(const Group& group) {
  ordered_json json = {{"label", group.label},
                       {"key", config_json<ordered_json>(group.key)},
                       {"base_batch_size", group.base_batch_size},
                       {"best_sizes", group.is_open ? std::vector<int64_t>() : group.best_sizes},
                       {"good_sizes", group.good_sizes},
                       {"untested_sizes", group.untested_sizes},
                       {"set_aside", ordered_json::array()},
                       {"suggested_controls", group.suggested_controls},
                       {"level", group.level},
                       {"departure_verdict", group.departure_verdict}};
  for (const Exclusion& each : group.set_aside) json["set_aside"].push_back(left_out_json(each));
  if (group.knee && !group.is_open) json["knee"] = *group.knee;
  if (group.saturation && !group.is_open) json["saturation"] = *group.saturation;
  if (group.smallest_provable_excess) {
    json["smallest_provable_excess"] = *group.smallest_provable_excess;
  }
  if (group.law) json["law"] = law_json(*group.law);
  if (group.diagnostics) json["diagnostics"] = diagnostics_json(*group.diagnostics);
  for (const MemoryLaw& law : group.memory_laws) {
    json["memory_laws"].push_back(memory_law_json(law));
  }
  return json;
}

ordered_json comparison_json(const Comparison& comparison) {
  ordered_json json = {{"axis", comparison.axis},
                       {"base", comparison.base},
                       {"other", comparison.other},
                       {"config", config_json<ordered_json>(comparison.config)},
                       {"ratio", estimate_json<ordered_json>(comparison.ratio)},
                       {"base_ms", comparison.base_ms},
                       {"other_ms", comparison.other_ms},
                       {"test", to_string(comparison.test)},
                       {"n", comparison.n},
                       {"p_value", comparison.p_value},
                       {"significant", comparison.significant},
                       {"message", comparison.message}};
  if (comparison.margin) json["margin"] = *comparison.margin;
  if (const auto& outputs = comparison.outputs) {
    json["outputs"] = {{"cosine", outputs->cosine},
                       {"largest_relative_error", outputs->largest_relative_error},
                       {"values", outputs->values}};
  }
  if (const auto& losses = comparison.losses) {
    json["losses"] = {{"steps", losses->steps}, {"base", losses->base}, {"other", losses->other}};
  }
  if (const auto& slow = comparison.slow_visits) {
    json["slow_visits"] = {{"base", slow->base},
                           {"base_visits", slow->base_visits},
                           {"other", slow->other},
                           {"other_visits", slow->other_visits},
                           {"mean_ratio", slow->mean_ratio}};
  }
  if (const auto& mean = comparison.by_mean) {
    json["by_mean"] = {{"ratio", estimate_json<ordered_json>(mean->ratio)},
                       {"significant", mean->significant}};
  }
  if (comparison.other_config)
    json["other_config"] = config_json<ordered_json>(*comparison.other_config);
  return json;
}

// What a recommendation is for, where no setting of it may be named.
ordered_json work_json(const schema::RunConfig& config) {
  const ordered_json all = config_json<ordered_json>(config);
  ordered_json work;
  for (const char* const field : {"model", "mode", "seq_len", "length_mix"}) {
    if (all.contains(field)) work[field] = all[field];
  }
  return work;
}

void put_choice(const Recommendation& made, ordered_json& json) {
  json["throughput_per_s"] = made.throughput_per_s;
  json["latency_ms"] = made.latency_ms;
  if (made.gain) json["gain"] = gain_json(*made.gain, made.gain_level, made.gain_against);
  json["larger_sizes"] = made.larger_sizes;
  json["ties"] = made.ties;
  json["good_sizes"] = made.good_sizes;
  json["untested_sizes"] = made.untested_sizes;
}

void put_what_would_tell(const Recommendation& made, ordered_json& json) {
  if (made.blocks_needed) json["blocks_needed"] = *made.blocks_needed;
  if (made.visit_s_needed) json["visit_s_needed"] = *made.visit_s_needed;
  if (!made.open_gain) return;
  json["open_gain"] = estimate_json<ordered_json>(*made.open_gain);
  json["open_gain"]["unit"] = kRatioUnit;
}

// Nothing that a reader could take for the setting to use stands beside `undecided`.
ordered_json recommendation_json(const Recommendation& made) {
  ordered_json json =
      made.undecided ? work_json(made.config) : config_json<ordered_json>(made.config);
  json["objective"] = made.objective;
  json["feasible"] = made.feasible;
  json["undecided"] = made.undecided;
  if (made.undecided) {
    put_what_would_tell(made, json);
  } else {
    put_choice(made, json);
  }
  json["verified"] = made.verified;
  json["withdrawn"] = made.withdrawn;
  json["fresh_visits"] = made.fresh_visits;
  json["points_measured"] = made.points_measured;
  json["points_total"] = made.points_total;
  json["left_out"] = ordered_json::array();
  for (const Exclusion& each : made.left_out) json["left_out"].push_back(left_out_json(each));
  json["message"] = made.message;
  return json;
}

}  // namespace

std::string to_json(const Summary& summary) {
  ordered_json json = {
      {"schema_version", schema::kSchemaVersion}, {"answer", answer_json(summary.answer)},
      {"inputs", ordered_json::array()},          {"configs", ordered_json::array()},
      {"groups", ordered_json::array()},          {"comparisons", ordered_json::array()},
      {"gates", ordered_json::array()},           {"findings", ordered_json::array()}};
  for (const InputRun& input : summary.inputs) json["inputs"].push_back(input_json(input));
  for (size_t i = 0; i < summary.groups.size(); ++i) {
    json["groups"].push_back(group_json(summary.groups[i]));
    for (const ConfigRow& row : summary.groups[i].rows) {
      json["configs"].push_back(row_json(row));
      json["configs"].back()["group"] = i;
    }
  }
  for (const Comparison& one : summary.comparisons) {
    json["comparisons"].push_back(comparison_json(one));
  }
  for (const Gate& gate : summary.gates) json["gates"].push_back(gate_json(gate));
  for (const Finding& finding : summary.findings)
    json["findings"].push_back(ordered_json::parse(findings::to_json(finding)));
  json["recommendation"] = ordered_json();
  json["other_recommendations"] = ordered_json::array();
  for (const Recommendation& each : summary.recommendations) {
    ordered_json& first = json["recommendation"];
    if (first.is_null()) {
      first = recommendation_json(each);
    } else {
      json["other_recommendations"].push_back(recommendation_json(each));
    }
  }
  for (const auto& row : summary.loaders) json["loaders"].push_back(loader_json(row));
  json["tunings"] = ordered_json::array();
  for (const Tuning& each : summary.tunings) json["tunings"].push_back(tuning_json(each));
  json["warnings"] = summary.warnings;
  json["words"] = summary.words;
  return schema::dump(json);
}

}  // namespace batchscope::report
