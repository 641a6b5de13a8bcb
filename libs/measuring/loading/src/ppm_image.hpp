#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"

namespace batchscope::loading {

// An image of 8 bits a channel; the pixels belong to whoever holds the file's content.
struct PpmImage {
  int64_t width = 0, height = 0;
  std::string_view pixels;  // red, green, blue of each, row by row
};

// A binary portable pixmap ("P6"). Errors: input.
base::Result<PpmImage> parse_ppm(std::string_view content, const std::string& where);

// Bilinear, pixel centres aligned; `out`: 3 x height x width, each channel (v / 255 - mean) /
// deviation with those of ImageNet.
void resize_normalised(const PpmImage& image, int64_t height, int64_t width, float* out);

}  // namespace batchscope::loading
