#include "small_floats.hpp"

#include <bit>
#include <cmath>

namespace batchscope::engine {
namespace {

constexpr uint32_t kInfinity = 0x7f80'0000;

// `bits` without the lowest `drop` of them, rounded to nearest.
uint32_t rounded(uint32_t bits, int drop) {
  const uint32_t half = uint32_t{1} << (drop - 1);
  const uint32_t odd = (bits >> drop) & 1;
  return (bits + half - 1 + odd) >> drop;
}

}  // namespace

float from_bfloat16(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

uint16_t to_bfloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>(rounded(bits, 16));
}

float from_float16(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  float magnitude = 0;
  if (exponent == 31) {
    const uint32_t payload = static_cast<uint32_t>(mantissa) << 13;
    magnitude = std::bit_cast<float>(kInfinity | payload);
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(mantissa), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

uint16_t to_float16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  const float magnitude = std::abs(value);
  if (std::isnan(value)) return static_cast<uint16_t>(sign | 0x7e00);
  if (magnitude >= 65520) return static_cast<uint16_t>(sign | 0x7c00);
  // Below 2^-14 the steps are all 2^-24; nearbyint rounds ties to even.
  if (magnitude < 0x1p-14F) {
    return static_cast<uint16_t>(sign | static_cast<int>(std::nearbyint(magnitude * 0x1p24F)));
  }
  const uint32_t rebiased = (bits & 0x7fff'ffff) - (uint32_t{127 - 15} << 23);
  return static_cast<uint16_t>(sign | rounded(rebiased, 13));
}

}  // namespace batchscope::engine
