#include <nlohmann/json.hpp>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/report/plan.hpp"
#include "batchscope/schema/json.hpp"

namespace batchscope::report {
namespace {

using nlohmann::ordered_json;

template <class T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json values_json(const serving::PolicySettings& values) {
  const auto list_or_null = [](const std::vector<int64_t>& list) {
    return list.empty() ? ordered_json(nullptr) : ordered_json(list);
  };
  ordered_json json{{"max_batch", or_null(values.max_batch)}};
  json["max_delay_ms"] = nullptr;
  if (values.max_delay) json["max_delay_ms"] = static_cast<double>(values.max_delay->count()) / 1e6;
  json["max_tokens"] = or_null(values.max_tokens);
  json["sizes"] = list_or_null(values.sizes);
  json["bucket_ends"] = list_or_null(values.bucket_ends);
  return json;
}

ordered_json policy_json(const planning::PolicyPlan& policy) {
  ordered_json json{{"policy", policy.policy},
                    {"settings", policy.settings},
                    {"values", values_json(policy.values)},
                    {"meets", policy.meets},
                    {"overloaded", policy.overloaded}};
  findings::put_estimate(json, "p50_ms", "p50", policy.p50_ms, "_ms");
  findings::put_estimate(json, "p90_ms", "p90", policy.p90_ms, "_ms");
  findings::put_estimate(json, "p99_ms", "p99", policy.p99_ms, "_ms");
  json["throughput_per_s"] = policy.throughput_per_s;
  json["utilisation"] = policy.utilisation;
  json["mean_batch"] = policy.mean_batch;
  json["padding"] = policy.padding;
  json["capacity_per_s"] = policy.capacity_per_s;
  json["instances_needed"] = or_null(policy.instances_needed);
  json["interpolated"] = policy.interpolated;
  json["smaller"] = policy.smaller;
  json["beyond"] = policy.beyond;
  return json;
}

// The lengths are always there: without one, all that were measured are planned with.
ordered_json planned_json(const schema::RunConfig& config) {
  auto json = schema::config_json<ordered_json>(schema::without_batch_size(config));
  json["seq_len"] = or_null(config.shape.seq_len);
  json["length_mix"] = config.shape.length_mix;
  return json;
}

ordered_json load_point_json(const planning::LoadPoint& point) {
  return {{"rate_per_s", point.rate_per_s},
          {"p50_ms", or_null(point.p50_ms)},
          {"p99_ms", or_null(point.p99_ms)}};
}

ordered_json load_curve_json(const planning::LoadCurve& curve) {
  return {{"policy", curve.policy}, {"points", base::mapped(curve.points, load_point_json)}};
}

}  // namespace

std::string plan_json(const planning::CapacityPlan& plan) {
  ordered_json json{{"schema_version", 1},
                    {"config", planned_json(plan.config)},
                    {"rate_per_s", plan.rate_per_s},
                    {"p99_bound_ms", or_null(plan.p99_ms)},
                    {"arrivals", plan.arrivals},
                    {"instances", plan.instances},
                    {"feasible", plan.recommended.has_value()}};
  json["policies"] = ordered_json::array();
  for (const planning::PolicyPlan& policy : plan.policies)
    json["policies"].push_back(policy_json(policy));
  json["recommended"] =
      plan.recommended ? policy_json(plan.policies[*plan.recommended]) : ordered_json(nullptr);
  json["message"] = plan.message;
  json["warnings"] = plan.warnings;
  json["curves"] = ordered_json::array();
  for (const planning::LoadCurve& curve : plan.curves)
    json["curves"].push_back(load_curve_json(curve));
  // Names as typed may be no UTF-8.
  return schema::dump(json) + "\n";
}

}  // namespace batchscope::report
