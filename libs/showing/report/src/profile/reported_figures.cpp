#include "profile/reported_figures.hpp"

#include <fmt/format.h>

#include "batchscope/findings/by_group.hpp"

namespace batchscope::report {

double throughput(const schema::RunConfig& config, const measure::ConfigEstimate& estimate) {
  constexpr double kMsASecond = 1e3;
  return kMsASecond * static_cast<double>(schema::samples_at_once(config)) / estimate.mean_ms.value;
}

double iteration_share(const schema::RunFile& run) {
  return run.end && run.end->wall_s > 0 ? run.end->iteration_s / run.end->wall_s : 0;
}

std::string why_absent(const schema::RunFile& run, int config) {
  std::string why;
  for (auto event = run.events.rbegin(); event != run.events.rend(); ++event) {
    if (event->where.config != config) continue;
    if (event->kind != schema::EventKind::warning) return schema::in_words(*event);
    if (why.empty()) why = fmt::format("{}: {}", event->kind.text(), event->what);
  }
  return why.empty() ? "the run stopped before" : why;
}

std::vector<ReportedQuantile> quantiles_of(const schema::RunConfig& config,
                                           const findings::Summary& summary) {
  const findings::ConfigRow* const row = findings::row_of(config, summary);
  if (row == nullptr) return {};
  std::vector<ReportedQuantile> reported;
  const auto p95 = findings::reported_quantile(row->distribution, findings::Quantile::p95);
  const auto p99 = findings::reported_quantile(row->distribution, findings::Quantile::p99);
  if (p95) reported.push_back({"p95", *p95});
  if (p99) reported.push_back({"p99", *p99});
  return reported;
}

}  // namespace batchscope::report
