#pragma once

#include <vector>

#include "batchscope/findings/loader_row.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::analyze {

// Each setting of a DataLoader in Python that a run measured, in the order of its tables.
std::vector<findings::LoaderRow> loader_rows(const tables::RunView& view);

}  // namespace batchscope::analyze
