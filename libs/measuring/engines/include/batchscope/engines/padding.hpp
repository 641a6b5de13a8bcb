#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/text_pipeline.hpp"

namespace batchscope::engines {

// Errors: usage (a way that is none, or that only a later version knows), with those there are.
base::Result<void> check_padding(const schema::Padding& padding);

// To how many tokens rows are filled up of which the longest has `longest`; `most`: tokens that the
// model takes.
int64_t padded_length(const schema::Padding& padding, int64_t longest, int64_t most);

// Rows first .. first + count - 1 run through the model together.
struct SubBatch {
  std::size_t first = 0;
  std::size_t count = 0;
  int64_t padded = 0;  // tokens of each row
};

// Splits the rows of a batch, in their order, into parts of at most `budget` tokens with their
// padding (0: no limit, one part); a row that is longer alone is a part of its own. `lengths`:
// tokens of each row, at least one row; `most`: tokens that the model takes.
std::vector<SubBatch> split_by_budget(std::span<const int64_t> lengths,
                                      const schema::Padding& padding, int64_t most, int64_t budget);

}  // namespace batchscope::engines
