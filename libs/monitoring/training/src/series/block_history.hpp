#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace batchscope::training {

// A series of any length as at most 64 blocks: medians of a few values, and from there on means of
// two neighbours, so that all blocks are of one length, which doubles.
class BlockHistory {
 public:
  struct Block {
    int64_t first_step = 0;
    double value = 0;
  };

  explicit BlockHistory(std::size_t values_in_first) : smallest_(values_in_first) {}

  // True where a block was completed.
  bool add(int64_t step, double value);
  void clear();

  std::span<const Block> blocks() const { return blocks_; }
  std::size_t values_in_block() const { return smallest_ * parts_in_block_; }

 private:
  bool add_part(const Block& part);

  std::size_t smallest_;
  std::size_t parts_in_block_ = 1;
  std::vector<double> pending_;
  int64_t pending_step_ = 0;
  Block open_;             // the sum of a block that is not complete
  std::size_t parts_ = 0;  // of it
  std::vector<Block> blocks_;
};

// The straight line through blocks, by least squares.
struct Trend {
  double first = 0;                    // where it begins
  double change = 0;                   // over all of them
  double error = 0;                    // its standard error, with the correlation of neighbours
  double squares = 0;                  // from the line
  double step_squares = 0;             // from the two levels that fit best, cut anywhere
  int64_t from_step = 0, to_step = 0;  // where it begins and ends
};
Trend trend_of(std::span<const BlockHistory::Block> blocks);  // at least 4
// The same; or a level, a slope of at least four blocks and a level, where those fit far better.
Trend slope_of(std::span<const BlockHistory::Block> blocks);

}  // namespace batchscope::training
