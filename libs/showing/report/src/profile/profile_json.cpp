#include <nlohmann/json.hpp>

#include "batchscope/base/strings.hpp"
#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/report/profile.hpp"
#include "batchscope/schema/json.hpp"
#include "json/document_parts.hpp"
#include "profile/reported_figures.hpp"

namespace batchscope::report {
namespace {

using nlohmann::json;

json axes_json(const schema::RunConfig& config) {
  json out = schema::config_json<nlohmann::ordered_json>(config);
  if (const auto tokens = schema::tokens_of(config)) {
    out["tokens"] = {
        {"real", tokens->real}, {"padded", tokens->padded}, {"iterations", tokens->iterations}};
  }
  return out;
}

// What a reader of the figures must know: a machine that was not quiet, a target out of reach.
json warnings_of(const schema::RunFile& run) {
  json warnings = json::array();
  for (const schema::Event& event : run.events) {
    if (event.kind == schema::EventKind::warning)
      warnings.push_back(base::in_one_line("", event.what, event.fix));
  }
  return warnings;
}

}  // namespace

std::string profile_json(const schema::RunFile& run,
                         std::span<const measure::ConfigEstimate> estimates,
                         const std::filesystem::path& path, const findings::Summary& summary) {
  json out{{"schema_version", schema::kSchemaVersion},
           {"run_file", path.string()},
           {"answer", json(answer_json(summary.answer))},
           {"configs", json::array()}};
  for (const measure::ConfigEstimate& estimate : estimates) {
    const schema::RunConfig& measured = run.configs[static_cast<size_t>(estimate.config)];
    json config = axes_json(measured);
    if (estimate.n == 0) {
      config["time_ms"] = nullptr;
      config["not_measured"] = why_absent(run, estimate.config);
    } else {
      config["time_ms"] = findings::estimate_json<json>(estimate.time_ms);
      config["mean_ms"] = findings::estimate_json<json>(estimate.mean_ms);
      for (const ReportedQuantile& each : quantiles_of(measured, summary)) {
        config[each.name + "_ms"] = findings::estimate_json<json>(each.ms);
      }
      config["throughput_per_s"] = throughput(measured, estimate);
    }
    config["n"] = estimate.n;
    out["configs"].push_back(std::move(config));
  }
  out["events"] = run.events.size();
  out["warnings"] = warnings_of(run);
  if (run.end) {
    out["end_reason"] = run.end->reason.text();
    out["wall_s"] = run.end->wall_s;
    out["iteration_share"] = iteration_share(run);
  }
  return schema::dump(out) + "\n";
}

std::string dry_run_json(const schema::Header& header, std::span<const schema::RunConfig> configs,
                         const measure::TimeEstimate& time) {
  json out{
      {"schema_version", schema::kSchemaVersion},
      {"configs", json::array()},
      {"blocks", header.plan.blocks},
      {"visits", time.visits},
      {"seed", header.seed},
      {"estimated_s",
       {{"at_least", time.at_least_s}, {"likely", time.likely_s}, {"at_most", time.at_most_s}}}};
  for (const schema::RunConfig& config : configs) out["configs"].push_back(axes_json(config));
  out["notes"] = header.notes;
  return schema::dump(out) + "\n";
}

}  // namespace batchscope::report
