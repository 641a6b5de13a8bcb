#include "batchscope/stats/rng.hpp"

#include <bit>
#include <cmath>

namespace batchscope::stats {
namespace {

constexpr uint64_t kGoldenGamma = 0x9e3779b97f4a7c15ULL;

uint64_t scramble(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

uint64_t mix_seed(uint64_t seed, uint64_t stream) {
  return scramble(scramble(seed + kGoldenGamma) ^ (stream * kGoldenGamma));
}

Rng::Rng(uint64_t seed) {
  for (uint64_t& word : state_) {
    seed += kGoldenGamma;
    word = scramble(seed);
  }
}

uint64_t Rng::next() {
  const uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Rng::uniform() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

double Rng::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  double x = 0.0;
  double y = 0.0;
  double r2 = 0.0;
  do {
    x = 2.0 * uniform() - 1.0;
    y = 2.0 * uniform() - 1.0;
    r2 = x * x + y * y;
  } while (r2 >= 1.0 || r2 == 0.0);
  const double scale = std::sqrt(-2.0 * std::log(r2) / r2);
  spare_normal_ = y * scale;
  has_spare_normal_ = true;
  return x * scale;
}

uint64_t Rng::below(uint64_t n) {
  // The 2^64 mod n lowest values would make the small remainders more likely, so they are drawn
  // again.
  const uint64_t threshold = (0 - n) % n;
  uint64_t draw = next();
  while (draw < threshold) draw = next();
  return draw % n;
}

}  // namespace batchscope::stats
