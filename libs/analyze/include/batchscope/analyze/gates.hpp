#pragma once

#include <vector>

#include "batchscope/schema/summary.hpp"

namespace batchscope::analyze {

// What a build server asks of an analysis.

// Whether any finding is at least this severe. What is only suspected has severity info.
bool has_finding(const schema::Summary& summary, schema::Severity severity);

// The comparisons of versions (models, runs, environments; not of precisions, threads, devices or
// modes) that prove a slow-down of more than `limit` (0.03 = 3 %): significant, and the
// lower end of the interval of the time ratio beyond 1 + limit. Pointers into `summary`.
std::vector<const schema::Comparison*> regressions(const schema::Summary& summary, double limit);

// Whether every run reached the precision it was asked for; false where that cannot be told.
bool is_precise(const schema::Summary& summary);

}  // namespace batchscope::analyze
