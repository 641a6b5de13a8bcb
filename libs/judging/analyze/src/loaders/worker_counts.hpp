#pragma once

#include <vector>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/loader_row.hpp"
#include "batchscope/tables/run_view.hpp"
#include "batchscope/tables/test_options.hpp"

namespace batchscope::analyze {

// Numbers of workers that are proven slower than the best one, by the full iteration: the fewest
// and the most.
std::vector<findings::Finding> worker_count_findings(const tables::RunView& view,
                                                     const std::vector<findings::LoaderRow>& rows,
                                                     const tables::TestOptions& options);

findings::Catalogue worker_count_kinds();

}  // namespace batchscope::analyze
