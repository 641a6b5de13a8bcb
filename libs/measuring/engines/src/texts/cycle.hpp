#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace batchscope::engines {

// At most `most` texts, the quantiles (i + 0.5) / n of their lengths in bytes, shuffled by the
// seed. `texts`: at least one.
std::vector<std::string> fair_sample(const std::vector<std::string>& texts, std::size_t most,
                                     uint64_t seed);

// The texts of one cycle of batches, batch after batch, out of those of a file: the quantiles
// (i + 0.5) / n of their lengths in bytes, in an order shuffled by the seed and the batch size. n
// is the smallest multiple of the batch size that is at least 32 and at least two batches, so that
// sorting has something to sort. All batch sizes see the same lengths as nearly as n allows, and
// the same texts whenever they are asked for. `texts`: at least one.
std::vector<std::string> choose_texts(const std::vector<std::string>& texts, int64_t batch_size,
                                      uint64_t seed);

// Longest first; `lengths` has the tokens of each text. Texts of one length keep their order.
void sort_by_length(std::vector<std::string>& texts, std::span<const int64_t> lengths);

}  // namespace batchscope::engines
