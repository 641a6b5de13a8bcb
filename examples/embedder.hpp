#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace example {

// Token ids of texts, padded to the longest of them: [batch, length], row by row; mask is 1 where a
// token is real.
struct PaddedBatch {
  std::size_t batch = 0, length = 0;
  std::vector<std::int32_t> ids;
  std::vector<float> mask;
};

using Rows = std::vector<std::vector<std::int32_t>>;

// Turns texts into vectors: a toy, with random weights, but with the steps of a real embedding
// model. Words are hashed to token ids; a token's vector goes through two layers.
class Embedder {
 public:
  static constexpr std::size_t kVocabulary = 8192, kWidth = 64, kHidden = 256;

  explicit Embedder(std::uint32_t seed);

  Rows tokenize(std::span<const std::string> texts) const;
  PaddedBatch pad(const Rows& rows) const;
  std::vector<float> forward(const PaddedBatch& batch) const;  // [batch, length, kWidth]
  // [batch, kWidth]: the mean over the real tokens, of length 1.
  std::vector<float> pool(const PaddedBatch& batch, std::span<const float> states) const;

 private:
  std::vector<float> embeddings_, up_, down_;  // [vocabulary, width], [width, hidden], and back
};

// Sentences of 4 to 40 words, the same whenever it is asked for them. Whatever their count, their
// lengths are spread alike: what is compared between batch sizes is the batch size.
std::vector<std::string> make_texts(std::size_t count);

}  // namespace example
