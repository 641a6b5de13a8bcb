#pragma once

#include <vector>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/tables/run_view.hpp"
#include "batchscope/tables/test_options.hpp"

namespace batchscope::causes {

// A finding for each cause whose signal stands in a table: confirmed or refuted where its
// intervention was measured, else suspected. `confirmed` keeps the error rate of all interventions
// of the run (Holm).
std::vector<findings::Finding> cause_findings(const tables::RunView& view,
                                              const tables::TestOptions& options);

// Names the confirmed cause in each finding about the same configuration, and says "unexplained" of
// a proven slow size without one when interventions were measured.
void attribute(std::vector<findings::Finding>& findings, const tables::RunView& view);

// What is told of why a size is slow, and where its time goes.
findings::Catalogue kinds();

}  // namespace batchscope::causes
