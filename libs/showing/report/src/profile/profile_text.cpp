#include "batchscope/api/profile_results.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/by_group.hpp"
#include "batchscope/findings/estimate_json.hpp"
#include "batchscope/findings/floors.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/json.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/timing/visits.hpp"

namespace batchscope::api {
namespace {

using nlohmann::json;

std::string in_seconds(double value) {
  return base::format_duration(
      std::chrono::duration_cast<base::Nanoseconds>(std::chrono::duration<double>(value)));
}

std::string interval_text(const findings::Estimate& estimate) {
  if (!estimate.ci) return "";
  return fmt::format(" [{:.4g}, {:.4g}]", estimate.ci->low, estimate.ci->high);
}

// Samples a second: work over time.
double throughput(const schema::RunConfig& config, const measure::ConfigEstimate& estimate) {
  constexpr double kMsASecond = 1e3;
  return kMsASecond * static_cast<double>(schema::samples_at_once(config)) / estimate.mean_ms.value;
}

double iteration_share(const schema::RunFile& run) {
  return run.end && run.end->wall_s > 0 ? run.end->iteration_s / run.end->wall_s : 0;
}

// Where slow iterations make the mean another figure than the typical one.
std::string mean_text(double mean, double typical) {
  if (!findings::is_mean_worth_showing(mean, typical)) return "";
  return fmt::format(" ({:.4g} ms on average)", mean);
}

// Measured for a cause or a check alone: no row of the results.
bool is_only_beside(const schema::RunFile& run, int config) {
  bool any = false;
  for (const schema::Visit& visit : run.visits) {
    if (visit.config != config) continue;
    if (timing::serves(visit.purpose, timing::Use::measured)) return false;
    any = true;
  }
  return any;
}

// Why a configuration has no figures: the last thing that failed; a warning (that it is not tried
// again, say) only where there is nothing more telling.
std::string why_absent(const schema::RunFile& run, int config) {
  std::string why;
  for (auto event = run.events.rbegin(); event != run.events.rend(); ++event) {
    if (event->where.config != config) continue;
    if (event->kind != schema::EventKind::warning) return schema::in_words(*event);
    if (why.empty()) why = fmt::format("{}: {}", event->kind.text(), event->what);
  }
  return why.empty() ? "the run ended first" : why;
}

// What variable-length input comes to, known before anything is measured.
std::string cycle_text(const schema::RunConfig& config) {
  const auto tokens = schema::tokens_of(config);
  if (!tokens) return "";
  return fmt::format(" ({} per cycle, padding {})", base::counted(tokens->iterations, "batch"),
                     findings::percent(1 - static_cast<double>(tokens->real) /
                                               static_cast<double>(tokens->padded)));
}

json to_json(const schema::RunConfig& config) {
  json out = schema::config_json<nlohmann::ordered_json>(config);
  if (const auto tokens = schema::tokens_of(config)) {
    out["tokens"] = {
        {"real", tokens->real}, {"padded", tokens->padded}, {"iterations", tokens->iterations}};
  }
  return out;
}

// What all lines share is said once, above them.
std::string heading_of(const schema::RunFile& run) {
  const auto keys = tables::keys_of(run.configs);
  return keys.size() == 1 ? findings::label(keys.front()) + "\n" : "";
}

// The quantiles of single iterations that every configuration is told with.
struct ToldQuantile {
  std::string name;
  findings::Estimate ms;

  bool is_vouched() const { return ms.ci.has_value(); }
};

// None where no iterations were timed.
std::vector<ToldQuantile> quantiles_of(const schema::RunConfig& config,
                                       const findings::Summary& summary) {
  const findings::ConfigRow* const row = findings::row_of(config, summary);
  if (row == nullptr) return {};
  std::vector<ToldQuantile> told;
  const auto p95 = findings::told_quantile(row->distribution, findings::Quantile::p95);
  const auto p99 = findings::told_quantile(row->distribution, findings::Quantile::p99);
  if (p95) told.push_back({"p95", *p95});
  if (p99) told.push_back({"p99", *p99});
  return told;
}

std::string quantiles_text(const std::vector<ToldQuantile>& quantiles,
                           const document::TextStyle& style) {
  std::string text;
  for (const ToldQuantile& each : quantiles) {
    const bool vouched = each.is_vouched();
    const std::string words =
        fmt::format("{} {}{:.4g} ms", each.name, vouched ? "" : "~", each.ms.value);
    text += ", " + (vouched ? words : document::grey(words, style));
  }
  return text;
}

// What a reader of the rows has to know of their quantiles.
std::string legend_of(const schema::RunFile& run, const findings::Summary& summary) {
  bool marked = false, several = false;
  for (const schema::RunConfig& config : run.configs) {
    const findings::ConfigRow* const row = findings::row_of(config, summary);
    if (row == nullptr) continue;
    several |= row->distribution.of_series || !config.shape.length_mix.empty();
    for (const ToldQuantile& each : quantiles_of(config, summary)) marked |= !each.is_vouched();
  }
  std::string text = marked ? "~: a quantile with too few samples to vouch for it.\n" : "";
  if (several) text += "p95 and p99 are those of means over several batches.\n";
  return text;
}

std::string row_text(const std::string& name, const schema::RunConfig& config,
                     const measure::ConfigEstimate& estimate, const std::string& quantiles) {
  const auto samples = static_cast<double>(schema::samples_at_once(config));
  const double typical = estimate.time_ms.value;
  const double mean = estimate.mean_ms.value;
  return fmt::format("{}: {:.4g} ms{}{}{}, {:.4g} ms a sample, {:.4g} samples/s, n={}\n", name,
                     typical, interval_text(estimate.time_ms), mean_text(mean, typical), quantiles,
                     typical / samples, throughput(config, estimate), estimate.n);
}

std::string rows_text(const schema::RunFile& run,
                      std::span<const measure::ConfigEstimate> estimates,
                      const findings::Summary& summary, const document::TextStyle& style) {
  std::string text;
  for (const measure::ConfigEstimate& estimate : estimates) {
    const schema::RunConfig& config = run.configs[static_cast<size_t>(estimate.config)];
    if (is_only_beside(run, estimate.config)) continue;
    const std::string name = base::visible(tables::what_differs(config, run.configs));
    if (estimate.n == 0) {
      text += fmt::format("{}: not measured: {}\n", name,
                          base::visible(why_absent(run, estimate.config)));
      continue;
    }
    text += row_text(name, config, estimate, quantiles_text(quantiles_of(config, summary), style));
  }
  return text;
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

std::string profile_text(const schema::RunFile& run,
                         std::span<const measure::ConfigEstimate> estimates, std::string_view where,
                         const findings::Summary& summary, const document::TextStyle& style) {
  const std::string answer = report::answer_text(summary.answer, style);
  if (style.extent == document::Extent::answer) return answer;
  std::string text = base::visible(heading_of(run));
  text += rows_text(run, estimates, summary, style) + legend_of(run, summary);
  if (run.end) {
    text += fmt::format("ended: {}, after {}; {} of it inside model iterations\n",
                        base::visible(run.end->reason.text()), in_seconds(run.end->wall_s),
                        findings::percent(iteration_share(run)));
  }
  return fmt::format("{}{}\n\n{}", text, base::visible(where), answer);
}

std::string profile_json(const schema::RunFile& run,
                         std::span<const measure::ConfigEstimate> estimates,
                         const std::filesystem::path& path, const findings::Summary& summary) {
  json out{{"schema_version", schema::kSchemaVersion},
           {"run_file", path.string()},
           {"answer", json::parse(findings::to_json(summary.answer))},
           {"configs", json::array()}};
  for (const measure::ConfigEstimate& estimate : estimates) {
    const schema::RunConfig& measured = run.configs[static_cast<size_t>(estimate.config)];
    json config = to_json(measured);
    if (estimate.n == 0) {
      config["time_ms"] = nullptr;
      config["not_measured"] = why_absent(run, estimate.config);
    } else {
      config["time_ms"] = findings::estimate_json<json>(estimate.time_ms);
      config["mean_ms"] = findings::estimate_json<json>(estimate.mean_ms);
      for (const ToldQuantile& each : quantiles_of(measured, summary)) {
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

std::string dry_run_text(const schema::Header& header, std::span<const schema::RunConfig> configs,
                         const measure::TimeEstimate& time) {
  std::string text = fmt::format(
      "{} x {} = {}, seed {}\n", base::counted(configs.size(), "configuration"),
      base::counted(header.plan.blocks, "block"), base::counted(time.visits, "visit"), header.seed);
  for (const schema::RunConfig& config : configs)
    text += fmt::format("  {}{}\n", schema::describe(config), cycle_text(config));
  text += fmt::format("isolation {}, sync {}, target \u00b1{}, budget at most {}\n",
                      header.plan.isolation.text(), header.plan.sync.text(),
                      base::format_level(header.plan.target), in_seconds(header.plan.budget_s));
  for (const std::string& note : header.notes) text += note + "\n";
  return text + fmt::format("estimated time: likely {}, at least {}, at most {} ({})\n",
                            in_seconds(time.likely_s), in_seconds(time.at_least_s),
                            in_seconds(time.at_most_s), time.basis);
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
  for (const schema::RunConfig& config : configs) out["configs"].push_back(to_json(config));
  out["notes"] = header.notes;
  return schema::dump(out) + "\n";
}

}  // namespace batchscope::api
