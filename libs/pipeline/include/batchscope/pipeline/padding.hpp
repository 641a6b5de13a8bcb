#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::pipeline {

// To how many tokens the rows of a batch are filled up.
struct Padding {
  int64_t multiple = 1;  // longest row, rounded up to it
  bool to_max = false;   // to the most that the model takes

  int64_t length(int64_t longest, int64_t most) const;
};

// "longest", "multiple:8", "max". Errors: usage, with these forms.
base::Result<Padding> parse_padding(std::string_view text);

// Rows first .. first + count - 1 run through the model together.
struct Part {
  std::size_t first = 0;
  std::size_t count = 0;
  int64_t padded = 0;  // tokens of each row
};

// Splits the rows of a batch, in their order, into parts of at most `budget` tokens with their
// padding (0: no limit, one part); a row that is longer alone is a part of its own. `lengths`:
// tokens of each row, at least one row; `most`: tokens that the model takes.
std::vector<Part> split_by_budget(std::span<const int64_t> lengths, const Padding& padding,
                                  int64_t most, int64_t budget);

}  // namespace batchscope::pipeline
