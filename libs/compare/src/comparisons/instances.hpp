#pragma once

#include <vector>

#include "open_comparison.hpp"

namespace batchscope::compare {

// Instances at once against fewer of them, by the throughput of all: as many samples at once on
// both sides; where no sizes were measured that allow it, the same batch size.
void compare_instances(const tables::RunView& view, const tables::TestOptions& options,
                       std::vector<Open>& all);

}  // namespace batchscope::compare
