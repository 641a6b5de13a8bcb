#include "question.hpp"

#include <algorithm>

namespace batchscope::analyze {

bool Question::is_repeated() const {
  return std::all_of(views.begin(), views.end(),
                     [](const tables::RunView& view) { return view.repeated; });
}

std::optional<findings::AnsweredLatency> latency_of(const findings::ConfigRow& row) {
  const auto p95 = told_quantile(row.distribution, findings::Quantile::p95);
  const auto p99 = told_quantile(row.distribution, findings::Quantile::p99);
  if (!p95 || !p99) return std::nullopt;
  const bool series = row.distribution.of_series || !row.config.shape.length_mix.empty();
  return findings::AnsweredLatency{row.time_ms, *p95, *p99,
                                   series                        ? "means of several batches"
                                   : row.config.accumulation > 1 ? "step"
                                                                 : "batch"};
}

}  // namespace batchscope::analyze
