#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace batchscope::engines {

// So many texts, of a file that has more, show in which lengths they come.
inline constexpr std::size_t kMostTextsSeen = 4096;

// `total` texts come one after the other; each `window` of them, rounded up to whole batches, are
// sorted by length before batches are formed: all of them where the window is as large, none where
// it is 1.
struct SortedWork {
  int64_t total = 1;
  int64_t window = 1;
  int64_t batch_size = 1;
};

// The texts of one cycle of batches out of that work, batch after batch, longest first, as places
// in `lengths`: the tokens of a fair sample of the texts in the order in which they come, at least
// one. Where there are more batches than a cycle needs (32 texts, and 4 of them, or 2 where none
// are sorted across batches), it holds those, evenly spread over the sorted order, whose means of
// tokens, of tokens with padding, and of the squares of their lengths are those of all batches:
// within 1 % (of the squares 10 %), or as near as 16 batches or 64 texts come. The same for the
// same arguments.
std::vector<std::size_t> sorted_cycle(std::span<const int64_t> lengths, const SortedWork& work);

}  // namespace batchscope::engines
