#include "question.hpp"

#include <algorithm>

#include "batchscope/tables/distribution.hpp"
#include "batchscope/tables/estimates.hpp"
#include "batchscope/tables/paired_visits.hpp"

namespace batchscope::analyze {

bool Question::is_repeated() const {
  return std::all_of(views.begin(), views.end(),
                     [](const tables::RunView& view) { return view.repeated; });
}

namespace {

findings::AnsweredLatency reported(const findings::Distribution& distribution,
                                   const schema::RunConfig& config,
                                   const findings::Estimate& typical_ms) {
  const auto quantile = [&](findings::Quantile which) {
    return reported_quantile(distribution, which).value_or(findings::Estimate{});
  };
  const bool series = distribution.of_series || !config.shape.length_mix.empty();
  return {typical_ms, quantile(findings::Quantile::p95), quantile(findings::Quantile::p99),
          series                    ? "means of several batches"
          : config.accumulation > 1 ? "step"
                                    : "batch"};
}

}  // namespace

findings::AnsweredLatency latency_of(const findings::ConfigRow& row) {
  findings::AnsweredLatency latency = reported(row.distribution, row.config, row.time_ms);
  latency.mean_ms = row.mean_ms.value;
  return latency;
}

std::optional<findings::AnsweredLatency> fresh_latency_of(const schema::RunConfig& config,
                                                          const Question& question) {
  tables::ConfigData fresh;
  for (const tables::RunView& view : question.views) {
    const auto visits = tables::visits_of(view, config, timing::Use::fresh).visits;
    fresh.visits.insert(fresh.visits.end(), visits.begin(), visits.end());
  }
  if (fresh.visits.empty()) return std::nullopt;
  const auto logs = timing::logs_of(fresh.visits, timing::typical_ns);
  const findings::Estimate typical =
      tables::exp_estimate(logs, question.options.level, question.options.method);
  return reported(tables::distribution_of(fresh), config,
                  tables::scaled(typical, 1 / tables::kNsPerMs));
}

}  // namespace batchscope::analyze
