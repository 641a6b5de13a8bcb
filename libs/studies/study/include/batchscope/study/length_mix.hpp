#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::study {

// How the lengths of variable-length input are distributed: tokens, whole numbers from low to high.
struct LengthMix {
  enum class Law { uniform, normal, lognormal, observed };
  std::string text;  // as typed: what run files and tables call it
  Law law = Law::uniform;
  int64_t low = 1, high = 1;  // both included
  double centre = 1;          // lognormal: the median; normal: the mean
  double spread = 1;          // lognormal: the standard deviation of ln(length); normal: of length
  std::vector<int64_t> observed;  // ascending; with law `observed`
};

// Whether an item of a list of lengths is meant as a mix, right or wrong; else it is a range of
// lengths.
bool is_length_mix(std::string_view item);

// "16-128:lognormal(48,0.6)": ln(length) is normal, with the median of 48 tokens and the standard
// deviation 0.6, and only lengths of 16 to 128 occur. "16-128:normal(48,20)": mean and standard
// deviation in tokens. "16-128:uniform". "file:lengths.txt": as often as they stand in the file,
// one positive whole number a line; what follows a # is a comment. Errors: usage; input (of the
// file).
base::Result<LengthMix> parse_length_mix(std::string_view text);

// Lengths that were seen, at least one, stand for their distribution.
LengthMix observed_mix(std::string text, std::vector<int64_t> lengths);

// The lengths of one cycle of batches of `batch_size` samples: the quantiles (i + 0.5) / n of the
// distribution, i = 0 .. n - 1, where n is the smallest multiple of the batch size that is at least
// 32, in an order shuffled by the seed and the batch size. So all batch sizes see the same lengths
// as nearly as n allows, each in random batches, and the same ones whenever it is asked for them.
std::vector<int64_t> cycle_lengths(const LengthMix& mix, int64_t batch_size, uint64_t seed);

// How many texts a mix stands for where all are sorted: those of its file; of a law 10,000.
int64_t texts_of(const LengthMix& mix);

// The lengths of a configuration of that mix: those of cycle_lengths(), or, where its texts are
// sorted window by window, of engines::sorted_cycle().
std::vector<int64_t> lengths_for(const LengthMix& mix, const schema::RunConfig& config,
                                 uint64_t seed);

}  // namespace batchscope::study
