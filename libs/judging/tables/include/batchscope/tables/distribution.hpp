#pragma once

#include <optional>

#include "batchscope/findings/summary.hpp"
#include "batchscope/schema/search_settings.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::tables {

// The spread of a configuration's iteration times, pooled over its visits. Iterations of one visit
// share a process and resemble each other, so the intervals of the quantiles are those of
// n / (1 + (m - 1) r) independent values (Kish's design effect; m iterations a visit, r their
// intraclass correlation by one-way analysis of variance): order statistics at the ranks such a
// sample would use. A quantile whose interval does not exist for that many is left out.
findings::Distribution distribution_of(const ConfigData& config);

// A statistic of the time of an iteration, ms, with its interval: p50 (the typical time) and the
// mean over visits, by `method` of logs; another percentile as in the distribution. Absent where
// the visits cannot show it: too few, or of series, whose iterations have no times of their own.
std::optional<findings::Estimate> latency_of(const ConfigData& config,
                                             schema::LatencyStatistic statistic, double level,
                                             stats::Method method);

}  // namespace batchscope::tables
