#include <fmt/format.h>

#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/by_group.hpp"
#include "batchscope/findings/floors.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/report/profile.hpp"
#include "batchscope/report/text.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/timing/visits.hpp"
#include "profile/reported_figures.hpp"
#include "sections/content.hpp"

namespace batchscope::report {
namespace {

std::string interval_text(const findings::Estimate& estimate) {
  if (!estimate.ci) return "";
  return fmt::format(" [{:.4g}, {:.4g}]", estimate.ci->low, estimate.ci->high);
}

// Where slow iterations make the mean another figure than the typical one.
std::string mean_text(double mean, double typical) {
  if (!findings::is_mean_worth_showing(mean, typical)) return "";
  return fmt::format(" (mean {:.4g} ms)", mean);
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

// What all lines share is said once, above them.
std::string heading_of(const schema::RunFile& run) {
  const auto keys = tables::keys_of(run.configs);
  return keys.size() == 1 ? findings::label(keys.front()) + "\n" : "";
}

std::string quantiles_text(const std::vector<ReportedQuantile>& quantiles,
                           const document::TextStyle& style) {
  std::string text;
  for (const ReportedQuantile& each : quantiles) {
    const bool supported = each.is_supported();
    const std::string words =
        fmt::format("{} {}{:.4g} ms", each.name, supported ? "" : "~", each.ms.value);
    text += ", " + (supported ? words : document::grey(words, style));
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
    for (const ReportedQuantile& each : quantiles_of(config, summary))
      marked |= !each.is_supported();
  }
  std::string text = marked ? "~: too few samples to be reliable.\n" : "";
  if (several) text += "p95 and p99 are of means over several batches.\n";
  return text;
}

std::string row_text(const std::string& name, const schema::RunConfig& config,
                     const measure::ConfigEstimate& estimate, const std::string& quantiles) {
  const auto samples = static_cast<double>(schema::samples_at_once(config));
  const double typical = estimate.time_ms.value;
  const double mean = estimate.mean_ms.value;
  return fmt::format("{}: {:.4g} ms{}{}{}, {:.4g} ms per sample, {:.4g} samples/s, n={}\n", name,
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

}  // namespace

std::string profile_text(const schema::RunFile& run,
                         std::span<const measure::ConfigEstimate> estimates, std::string_view where,
                         const findings::Summary& summary, const document::TextStyle& style) {
  const std::string answer = answer_text(summary.answer, style);
  if (style.extent == document::Extent::answer) return answer;
  std::string text = base::visible(heading_of(run));
  text += rows_text(run, estimates, summary, style) + legend_of(run, summary);
  if (run.end) {
    text += fmt::format(
        "{}, after {} ({} inside model iterations)\n", base::visible(end_in_words(run.end->reason)),
        base::format_seconds(run.end->wall_s), findings::percent(iteration_share(run)));
  }
  return fmt::format("{}{}\n\n{}", text, base::visible(where), answer);
}

}  // namespace batchscope::report
