#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace batchscope::stats {

// A well-mixed seed for sub-stream `stream` of `seed` (SplitMix64, Steele et al. 2014):
// neighbouring streams, such as block 1, 2, 3 of one run, are unrelated, and each can be drawn
// without drawing the ones before it.
uint64_t mix_seed(uint64_t seed, uint64_t stream);

// xoshiro256++ (Blackman and Vigna 2019), seeded through SplitMix64. Unlike the distributions of
// <random>, the integer draws, and so every shuffle, are the same with each standard library: a
// recorded seed reproduces a run's order. Not for cryptography. Not safe to share between threads.
class Rng {
 public:
  explicit Rng(uint64_t seed);

  // Uniform over all 64-bit values.
  uint64_t next();
  // Uniform in [0, 1), 53 random bits.
  double uniform();
  // Standard normal (Marsaglia's polar method).
  double normal();
  // Uniform in {0, ..., n - 1} without modulo bias. n > 0.
  uint64_t below(uint64_t n);

  // Every order equally likely (Fisher-Yates).
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[static_cast<std::size_t>(below(i))]);
    }
  }

 private:
  uint64_t state_[4];
  double spare_normal_ = 0.0;
  bool has_spare_normal_ = false;
};

}  // namespace batchscope::stats
