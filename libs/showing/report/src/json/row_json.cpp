#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/findings/floors.hpp"
#include "batchscope/schema/json.hpp"
#include "json/document_parts.hpp"

namespace batchscope::report {
namespace {

using findings::ConfigRow;
using findings::Deviation;
using findings::Distribution;
using findings::estimate_json;
using findings::PhaseShare;
using findings::put_estimate;
using findings::Quantile;
using findings::reported_quantile;
using findings::TokenFacts;
using nlohmann::ordered_json;
using schema::config_json;

template <class T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json distribution_json(const Distribution& distribution) {
  ordered_json json = {{"min_ms", distribution.min_ms},
                       {"q1_ms", distribution.q1_ms},
                       {"median_ms", distribution.median_ms},
                       {"q3_ms", distribution.q3_ms},
                       {"max_ms", distribution.max_ms},
                       {"whisker_low_ms", distribution.whisker_low_ms},
                       {"whisker_high_ms", distribution.whisker_high_ms},
                       {"mild_outliers", distribution.mild_outliers},
                       {"extreme_outliers", distribution.extreme_outliers},
                       {"of_series", distribution.of_series}};
  const auto put_quantile = [&](const char* name, Quantile quantile) {
    if (const auto reported = reported_quantile(distribution, quantile))
      json[name] = estimate_json<ordered_json>(*reported);
  };
  put_quantile("p50_ms", Quantile::p50);
  put_quantile("p90_ms", Quantile::p90);
  put_quantile("p95_ms", Quantile::p95);
  put_quantile("p99_ms", Quantile::p99);
  return json;
}

ordered_json phases_json(const std::vector<PhaseShare>& phases) {
  ordered_json array = ordered_json::array();
  for (const PhaseShare& phase : phases) {
    array.push_back({{"name", phase.name},
                     {"host_ms", phase.host_ms},
                     {"device_ms", or_null(phase.device_ms)},
                     {"share", phase.share}});
  }
  return array;
}

ordered_json memory_json(const ConfigRow& row) {
  return {{"peak_rss_bytes", or_null(row.memory.peak_rss_bytes)},
          {"peak_allocated_bytes", or_null(row.memory.peak_allocated_bytes)},
          {"peak_reserved_bytes", or_null(row.memory.peak_reserved_bytes)},
          {"device_allocations", or_null(row.memory.device_allocations)},
          {"peak_iterations_rss_bytes", or_null(row.memory.peak_iterations_rss_bytes)},
          {"fragmentation", or_null(row.fragmentation)}};
}

ordered_json tokens_json(const TokenFacts& tokens) {
  ordered_json json = {
      {"real", tokens.real}, {"padded", tokens.padded}, {"padding", tokens.padding}};
  put_estimate(json, "real_per_s", "real_per_s", tokens.real_per_s);
  return json;
}

}  // namespace

ordered_json row_json(const ConfigRow& row) {
  ordered_json json = config_json<ordered_json>(row.config);
  put_estimate(json, "time_ms", "time", row.time_ms, "_ms");
  put_estimate(json, "mean_ms", "mean", row.mean_ms, "_ms");
  json["slow_share"] = row.slow_share;
  put_estimate(json, "per_sample_ms", "per_sample", row.per_sample_ms, "_ms");
  json["expected_ms"] = or_null(row.expected_ms);
  put_estimate(json, "efficiency", "efficiency", row.efficiency);
  json["relative_slowdown"] =
      row.relative_slowdown ? ordered_json(row.relative_slowdown->value) : ordered_json();
  put_estimate(json, "jump_ratio", "jump", row.jump);
  put_estimate(json, "throughput_per_s", "throughput", row.throughput_per_s);
  json["n"] = row.n;
  json["n_iterations"] = row.n_iterations;
  json["verdict"] = to_string(row.verdict);
  if (row.departs != Deviation::unknown) json["departs"] = to_string(row.departs);
  json["purpose"] = to_string(row.purpose);
  json["batches_per_s"] = row.batches_per_s;
  json["time_mean_ms"] = row.time_mean_ms;
  json["prepare_ms"] = or_null(row.prepare_ms);
  json["phases"] = phases_json(row.phases);
  json["memory"] = memory_json(row);
  json["minor_faults_per_iteration"] = or_null(row.minor_faults_per_iteration);
  json["system_time_share"] = or_null(row.system_time_share);
  json["loss"] = or_null(row.loss);
  if (row.tokens) json["tokens"] = tokens_json(*row.tokens);
  json["skipped_steps"] = or_null(row.skipped_steps);
  json["distribution"] = distribution_json(row.distribution);
  return json;
}

}  // namespace batchscope::report
