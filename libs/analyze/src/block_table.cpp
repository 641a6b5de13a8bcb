#include "block_table.hpp"

#include <algorithm>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::analyze {
namespace {

constexpr int kPolishRounds = 2;

BlockTable every_second(const BlockTable& table, std::size_t first) {
  BlockTable half{table.sizes, {}};
  for (std::size_t k = first; k < table.blocks.size(); k += 2) {
    half.blocks.push_back(table.blocks[k]);
  }
  return half;
}

double block_deviation(std::span<const double> block, std::span<const double> typical) {
  std::vector<double> deviations;
  for (std::size_t s = 0; s < block.size(); ++s) {
    if (!is_missing(block[s])) deviations.push_back(block[s] - typical[s]);
  }
  return deviations.empty() ? 0.0 : stats::median(deviations);
}

}  // namespace

std::vector<double> column(const BlockTable& table, std::size_t size_index) {
  std::vector<double> values;
  for (const auto& block : table.blocks) {
    if (!is_missing(block[size_index])) values.push_back(block[size_index]);
  }
  return values;
}

std::vector<double> paired_contrast(const BlockTable& table, std::size_t base, std::size_t other) {
  std::vector<double> values;
  for (const auto& block : table.blocks) {
    if (!is_missing(block[base]) && !is_missing(block[other])) {
      values.push_back(block[other] - block[base]);
    }
  }
  return values;
}

BlockTable complete_blocks(const BlockTable& table) {
  BlockTable complete{table.sizes, {}};
  for (const auto& block : table.blocks) {
    if (std::none_of(block.begin(), block.end(), is_missing)) complete.blocks.push_back(block);
  }
  return complete;
}

BlockTable odd_blocks(const BlockTable& table) {
  return every_second(table, 0);
}
BlockTable even_blocks(const BlockTable& table) {
  return every_second(table, 1);
}

std::vector<double> block_normalised_medians(const BlockTable& table) {
  std::vector<double> shift(table.blocks.size(), 0.0);
  std::vector<double> typical(table.columns(), kMissing);
  for (int round = 0; round <= kPolishRounds; ++round) {
    for (std::size_t s = 0; s < table.columns(); ++s) {
      std::vector<double> values;
      for (std::size_t k = 0; k < table.blocks.size(); ++k) {
        const double value = table.blocks[k][s];
        if (!is_missing(value)) values.push_back(value - shift[k]);
      }
      typical[s] = values.empty() ? kMissing : stats::median(values);
    }
    for (std::size_t k = 0; k < table.blocks.size(); ++k) {
      shift[k] = block_deviation(table.blocks[k], typical);
    }
  }
  return typical;
}

}  // namespace batchscope::analyze
