#pragma once

#include <string>
#include <vector>

#include "batchscope/tables/run_view.hpp"

namespace batchscope::analyze {

// A sentence of the batch sizes that failed in every visit, so that no table shows them: one for
// each way to fail as often, and where the run has several tables, for each of these.
std::vector<std::string> failed_sizes_in_words(const tables::RunView& view);

}  // namespace batchscope::analyze
