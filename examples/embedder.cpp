#include "embedder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string_view>

namespace example {
namespace {

std::vector<float> random_weights(std::size_t count, float scale, std::mt19937& random) {
  std::uniform_real_distribution<float> weight(-scale, scale);
  std::vector<float> weights(count);
  for (float& each : weights) each = weight(random);
  return weights;
}

std::int32_t token_of(std::string_view word) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return static_cast<std::int32_t>(hash % Embedder::kVocabulary);
}

// out[j] += sum over i of in[i] * weights[i][j]
void multiply(std::span<const float> in, std::span<const float> weights, std::span<float> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    const float* row = &weights[i * out.size()];
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += in[i] * row[j];
  }
}

}  // namespace

Embedder::Embedder(std::uint32_t seed) {
  std::mt19937 random(seed);
  embeddings_ = random_weights(kVocabulary * kWidth, 1.0F, random);
  up_ = random_weights(kWidth * kHidden, 0.1F, random);
  down_ = random_weights(kHidden * kWidth, 0.1F, random);
}

Rows Embedder::tokenize(std::span<const std::string> texts) const {
  Rows rows;
  for (const std::string_view text : texts) {
    std::vector<std::int32_t>& row = rows.emplace_back();
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(' ', begin), text.size());
      if (end > begin) row.push_back(token_of(text.substr(begin, end - begin)));
      begin = end + 1;
    }
  }
  return rows;
}

PaddedBatch Embedder::pad(const Rows& rows) const {
  PaddedBatch padded;
  padded.batch = rows.size();
  for (const auto& row : rows) padded.length = std::max(padded.length, row.size());
  padded.ids.resize(padded.batch * padded.length);
  padded.mask.resize(padded.batch * padded.length);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i * padded.length);
    std::copy(rows[i].begin(), rows[i].end(), padded.ids.begin() + at);
    std::fill_n(padded.mask.begin() + at, rows[i].size(), 1.0F);
  }
  return padded;
}

std::vector<float> Embedder::forward(const PaddedBatch& batch) const {
  std::vector<float> states(batch.ids.size() * kWidth);
  std::array<float, kHidden> hidden{};
  for (std::size_t token = 0; token < batch.ids.size(); ++token) {
    const auto id = static_cast<std::size_t>(batch.ids[token]);
    hidden.fill(0);
    multiply(std::span(embeddings_).subspan(id * kWidth, kWidth), up_, hidden);
    for (float& each : hidden) each = std::max(each, 0.0F);
    multiply(hidden, down_, std::span(states).subspan(token * kWidth, kWidth));
  }
  return states;
}

std::vector<float> Embedder::pool(const PaddedBatch& batch, std::span<const float> states) const {
  std::vector<float> vectors(batch.batch * kWidth);
  for (std::size_t token = 0; token < batch.ids.size(); ++token) {
    float* vector = &vectors[token / batch.length * kWidth];
    for (std::size_t j = 0; j < kWidth; ++j) {
      vector[j] += batch.mask[token] * states[token * kWidth + j];
    }
  }
  for (std::size_t i = 0; i < batch.batch; ++i) {
    const std::span<float> vector = std::span(vectors).subspan(i * kWidth, kWidth);
    float squares = 0;
    for (const float each : vector) squares += each * each;
    for (float& each : vector) each /= std::max(std::sqrt(squares), 1e-12F);
  }
  return vectors;
}

std::vector<std::string> make_texts(std::size_t count) {
  constexpr std::array<std::string_view, 16> kWords{
      "river", "market", "quiet", "engine", "winter", "letter", "bright", "stone",
      "carry", "before", "paper", "garden", "seven",  "travel", "under",  "morning"};
  constexpr std::size_t kShortest = 4, kLengths = 37;
  std::mt19937 random(2);
  std::vector<std::string> texts(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t words = kShortest + (2 * i + 1) * kLengths / (2 * count);
    for (std::size_t word = 0; word < words; ++word) {
      texts[i] += std::string(word == 0 ? "" : " ") + std::string(kWords[random() % kWords.size()]);
    }
  }
  return texts;
}

}  // namespace example
