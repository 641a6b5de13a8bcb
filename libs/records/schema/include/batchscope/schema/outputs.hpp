#pragma once

#include <cstdint>

namespace batchscope::schema {

// How far apart the first outputs of two configurations are, which compute the same by different
// engines: of one batch of the same input, without the vectors of padding.
struct OutputDifference {
  int config = 0;     // index into RunFile::configs
  int against = 0;    // the same; this one's output is what the other's is held against
  double cosine = 0;  // cosine similarity of two vectors along the last axis: the lowest of all
  // The largest absolute difference of two elements, over the largest absolute value of `against`.
  double largest_relative_error = 0;
  int64_t values = 0;  // elements compared
  bool operator==(const OutputDifference&) const = default;
};

}  // namespace batchscope::schema
