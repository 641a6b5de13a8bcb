#pragma once

#include <vector>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/loader_row.hpp"
#include "batchscope/tables/run_view.hpp"
#include "batchscope/tables/test_options.hpp"

namespace batchscope::analyze {

// What is wrong with a DataLoader in Python, or with how it is used.
std::vector<findings::Finding> loader_findings(const tables::RunView& view,
                                               const std::vector<findings::LoaderRow>& rows,
                                               const tables::TestOptions& options);

findings::Catalogue loader_kinds();

}  // namespace batchscope::analyze
