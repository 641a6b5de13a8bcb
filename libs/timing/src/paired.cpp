#include "batchscope/timing/paired.hpp"

namespace batchscope::timing {

std::vector<double> paired(const LogsByBlock& a, const LogsByBlock& b) {
  std::vector<double> contrasts;
  for (const auto& [block, log] : a) {
    const auto other = b.find(block);
    if (other != b.end()) contrasts.push_back(log - other->second);
  }
  return contrasts;
}

}  // namespace batchscope::timing
