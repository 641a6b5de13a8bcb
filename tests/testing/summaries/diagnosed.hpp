#pragma once

#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::fixtures {

// one_group() with diagnostic visits of batch 1, 4 and 8, a confirmed cause at 8, a suspected one
// at 4 and one ruled out at 2.
findings::Summary diagnosed();

// diagnosed() with an operator, a primitive and a reason for each of these names.
findings::Summary diagnosed_with(const std::vector<std::string>& names);

}  // namespace batchscope::fixtures
