#pragma once

#include <string>
#include <vector>

#include "batchscope/tables/run_view.hpp"

namespace batchscope::tables {

// Slow iterations come again in a third of the visits, warm-up included, and visits have fewer than
// 20: how many of them a visit catches depends on where it ends, in all visits alike, so that no
// interval of a mean holds what it says.
bool has_too_few_iterations(const ConfigData& config);
bool has_too_few_iterations(const RunView& view, const schema::RunConfig& config);

// The sizes of which that is so, a sentence for each table that has some.
std::vector<std::string> few_iterations_warnings(const RunView& view);

}  // namespace batchscope::tables
