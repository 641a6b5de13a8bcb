#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace batchscope::schema {

// The largest batch size and sequence length: their product still is an int64.
inline constexpr int64_t kLargestSize = (int64_t{1} << 31) - 1;
// The most batches of one training step: with it, samples of an iteration are an int64 too.
inline constexpr int64_t kMostAccumulation = 65'536;

// The axes that change the size of the work; sizes from 1 to kLargestSize.
struct Shape {
  int64_t batch_size = 1;
  std::optional<int64_t> seq_len{};  // tokens; absent for models without a length, and for a mix
  // Variable-length input: how the lengths are distributed, as typed ("16-128:lognormal(48,0.6)"),
  // and the lengths in tokens of the samples that are run through in turn, from 1 to kLargestSize.
  // Each `batch_size` of them in a row form a batch, padded to its longest; there are as many
  // batches as it takes, and together they are one cycle. Both are empty without a mix.
  std::string length_mix{};
  std::vector<int64_t> lengths{};
  auto operator<=>(const Shape&) const = default;
};

// What the samples of one cycle hold: the tokens of the samples, and what is computed when each
// batch is padded to its longest sample; and how many iterations (batches) a cycle has.
struct Tokens {
  int64_t real = 0;
  int64_t padded = 0;
  int64_t iterations = 1;
  bool operator==(const Tokens&) const = default;
};
// Absent without lengths.
std::optional<Tokens> tokens_of(const Shape& shape);
// How many batches `lengths` make; 1 without lengths.
int64_t cycle_of(const Shape& shape);
// The longest sample of batch `index` of the cycle; seq_len without lengths.
std::optional<int64_t> longest_of(const Shape& shape, int64_t index);

}  // namespace batchscope::schema
