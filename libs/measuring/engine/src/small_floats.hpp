#pragma once

#include <cstdint>

namespace batchscope::engine {

// Bits of the 16-bit types, rounded to nearest, ties to even.
float from_bfloat16(uint16_t bits);
uint16_t to_bfloat16(float value);
float from_float16(uint16_t bits);
uint16_t to_float16(float value);

}  // namespace batchscope::engine
