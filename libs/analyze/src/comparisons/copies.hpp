#pragma once

#include <vector>

#include "open_comparison.hpp"

namespace batchscope::analyze {

// Instances at once against fewer of them, by the throughput of all: as many samples at once on
// both sides; where no sizes were measured that allow it, the same batch size.
void compare_copies(const RunView& view, const TestOptions& options, std::vector<Open>& all);

}  // namespace batchscope::analyze
