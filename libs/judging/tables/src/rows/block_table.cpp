#include "batchscope/tables/block_table.hpp"

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/stats/descriptive.hpp"

namespace batchscope::tables {
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

// Residuals of a table: value - size - block; kMissing stays.
struct TwoWayFit {
  std::vector<double> size;   // typical ln time
  std::vector<double> block;  // how much slower than typical
};

TwoWayFit fit_two_way(const BlockTable& table) {
  TwoWayFit fit{block_normalised_medians(table), {}};
  for (const auto& block : table.blocks) fit.block.push_back(block_deviation(block, fit.size));
  return fit;
}

std::vector<double> residuals_of(const BlockTable& table, const TwoWayFit& fit, std::size_t s) {
  std::vector<double> residuals;
  for (std::size_t k = 0; k < table.blocks.size(); ++k) {
    const double value = table.blocks[k][s];
    if (!is_missing(value)) residuals.push_back(value - fit.size[s] - fit.block[k]);
  }
  return residuals;
}

double pooled_scale(const BlockTable& table, const TwoWayFit& fit) {
  std::vector<double> all;
  for (std::size_t s = 0; s < table.columns(); ++s) {
    const std::vector<double> residuals = residuals_of(table, fit, s);
    all.insert(all.end(), residuals.begin(), residuals.end());
  }
  return all.empty() ? 0.0 : stats::robust_std(all);
}

// What befalls more visits than this is no accident but one of two ways in which they run: of the
// whole table, and of one size, whose few visits of a short run tell less.
constexpr double kMostOfTable = 0.2;
constexpr std::size_t kManyBlocks = 12;
double most_moved(const BlockTable& table) {
  return table.blocks.size() < kManyBlocks ? 1.0 / 4 : 1.0 / 3;
}

// Accidents make a visit slower. Where some are far faster, the slow ones are the way in which the
// size usually runs, and the fast ones the other way.
double most_fast(const BlockTable& table) {
  return table.blocks.size() < kManyBlocks ? 0.0 : 1.0 / 6;
}

bool is_rare(std::size_t spikes, std::size_t values, double most) {
  return static_cast<double>(spikes) <= most * static_cast<double>(values);
}

// Values of a column that lie far from what their block and their size suggest.
struct Spikes {
  std::size_t slow = 0;
  std::size_t fast = 0;
};

Spikes move_in(BlockTable& table, const TwoWayFit& fit, std::size_t s, double pooled) {
  constexpr double kFarthest = 3;
  const std::vector<double> residuals = residuals_of(table, fit, s);
  Spikes spikes;
  if (residuals.empty()) return spikes;
  const double farthest = kFarthest * std::max(stats::robust_std(residuals), pooled);
  if (!(farthest > 0)) return spikes;
  for (std::size_t k = 0; k < table.blocks.size(); ++k) {
    double& value = table.blocks[k][s];
    if (is_missing(value)) continue;
    const double centre = fit.size[s] + fit.block[k];
    if (value > centre + farthest) ++spikes.slow;
    if (value < centre - farthest) ++spikes.fast;
    value = std::clamp(value, centre - farthest, centre + farthest);
  }
  return spikes;
}

void put_back(BlockTable& moved, const BlockTable& table, std::size_t s) {
  for (std::size_t k = 0; k < table.blocks.size(); ++k) moved.blocks[k][s] = table.blocks[k][s];
}

}  // namespace

BlockTable with_spikes_moved_in(const BlockTable& table) {
  constexpr std::size_t kFewestColumns = 3;
  constexpr std::size_t kFewestBlocks = 5;
  if (table.columns() < kFewestColumns || table.blocks.size() < kFewestBlocks) return table;
  const TwoWayFit fit = fit_two_way(table);
  const double pooled = pooled_scale(table, fit);
  BlockTable moved = table;
  std::size_t values = 0, spikes = 0;
  for (std::size_t s = 0; s < table.columns(); ++s) {
    const std::size_t in_column = column(table, s).size();
    const Spikes of_column = move_in(moved, fit, s, pooled);
    values += in_column;
    spikes += of_column.slow + of_column.fast;
    const bool rare = is_rare(of_column.slow + of_column.fast, in_column, most_moved(table)) &&
                      is_rare(of_column.fast, in_column, most_fast(table));
    if (!rare) put_back(moved, table, s);
  }
  return is_rare(spikes, values, kMostOfTable) ? moved : table;
}

std::vector<double> column(const BlockTable& table, std::size_t size_index) {
  std::vector<double> values =
      base::mapped(table.blocks, [&](const auto& block) { return block[size_index]; });
  std::erase_if(values, is_missing);
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
  return {table.sizes, base::kept(table.blocks, [](const std::vector<double>& block) {
            return std::none_of(block.begin(), block.end(), is_missing);
          })};
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

}  // namespace batchscope::tables
