#pragma once

#include <vector>

#include "batchscope/analyze/analyze.hpp"
#include "tables/run_view.hpp"

namespace batchscope::analyze {

// A finding for each cause whose signal stands in a table: confirmed or refuted where its
// intervention was measured, else suspected. `confirmed` keeps the error rate of all interventions
// of the run (Holm).
std::vector<findings::Finding> cause_findings(const RunView& view, const Options& options);

// Names the confirmed cause in each finding about the same configuration, and says "unexplained" of
// a proven slow size without one when interventions were measured.
void attribute(std::vector<findings::Finding>& findings, const RunView& view);

}  // namespace batchscope::analyze
