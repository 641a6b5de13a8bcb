#include "batchscope/timing/paired.hpp"

namespace batchscope::timing {

std::vector<int> blocks_in_both(const LogsByBlock& a, const LogsByBlock& b) {
  std::vector<int> blocks;
  for (const auto& [block, log] : a) {
    if (b.contains(block)) blocks.push_back(block);
  }
  return blocks;
}

std::vector<double> paired(const LogsByBlock& a, const LogsByBlock& b) {
  std::vector<double> contrasts;
  for (const int block : blocks_in_both(a, b)) contrasts.push_back(a.at(block) - b.at(block));
  return contrasts;
}

}  // namespace batchscope::timing
