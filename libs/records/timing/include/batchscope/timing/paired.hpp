#pragma once

#include <map>
#include <vector>

namespace batchscope::timing {

// ln of one time of a configuration's visits, by block.
using LogsByBlock = std::map<int, double>;

// The blocks that have both, ascending.
std::vector<int> blocks_in_both(const LogsByBlock& a, const LogsByBlock& b);

// ln(a / b) in the blocks that have both, in their order: what the machine did to a whole block is
// in neither (docs/design/method.md, 1.4).
std::vector<double> paired(const LogsByBlock& a, const LogsByBlock& b);

}  // namespace batchscope::timing
