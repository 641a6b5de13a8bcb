#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace batchscope::tables {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// ln of visit medians (ln ns) of one scaling table: a row a block, a column a batch size, kMissing
// where the visit is missing. Blocks are in the order of time.
struct BlockTable {
  std::vector<int64_t> sizes;  // ascending
  std::vector<std::vector<double>> blocks;

  std::size_t columns() const { return sizes.size(); }
};

inline bool is_missing(double value) {
  return std::isnan(value);
}

// All values of a column that are there.
std::vector<double> column(const BlockTable& table, std::size_t size_index);

// blocks[k][other] - blocks[k][base] of the blocks that hold both.
std::vector<double> paired_contrast(const BlockTable& table, std::size_t base, std::size_t other);

// The blocks that hold every column, in their order.
BlockTable complete_blocks(const BlockTable& table);

// The odd (1st, 3rd, ...) or even (2nd, 4th, ...) of the blocks as they stand.
BlockTable odd_blocks(const BlockTable& table);
BlockTable even_blocks(const BlockTable& table);

// Typical ln time of each column with what the blocks share taken out: medians over blocks of
// values less their block's median deviation (Tukey's median polish, two rounds), so that neither a
// slow block nor a visit hit by a neighbour moves it. Columns without a value are kMissing.
std::vector<double> block_normalised_medians(const BlockTable& table);

// The table with visits that lie far from what their block and their size suggest moved in to 3
// robust standard deviations (of their size or of the table, whichever is larger). A contrast of
// six sizes is hit six times as often as a visit; moved in, a spike costs it little, and noise
// without spikes is left as it is. Unchanged below 3 columns or 5 blocks, where a spike cannot be
// told from the block it is in. What befalls many visits is no accident but a second way in which
// processes run, and taking it away would hide the noise: the table stays as it is where more than
// a fifth of all visits would be moved, a size where more than a third of its own would (a quarter
// below 12 blocks), or more than a sixth because they are fast (any
// below 12 blocks).
BlockTable with_spikes_moved_in(const BlockTable& table);

}  // namespace batchscope::tables
