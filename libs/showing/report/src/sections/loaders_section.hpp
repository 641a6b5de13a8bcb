#pragma once

#include <vector>

#include "batchscope/document/document.hpp"
#include "batchscope/findings/loader_row.hpp"

namespace batchscope::report {

// The settings of a DataLoader in Python side by side, with a heading; empty without any.
document::Document loaders_section(const std::vector<findings::LoaderRow>& rows);

}  // namespace batchscope::report
