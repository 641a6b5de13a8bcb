#include "ppm_image.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace batchscope::loading {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr std::array<float, 3> kMeans{0.485F, 0.456F, 0.406F};
constexpr std::array<float, 3> kDeviations{0.229F, 0.224F, 0.225F};
constexpr int64_t kMostPixels = 1 << 20;  // a side

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// The next number of the header, comments passed over; 0 where there is none.
int64_t next_number(std::string_view content, std::size_t& at) {
  while (at < content.size() && (is_space(content[at]) || content[at] == '#')) {
    if (content[at] == '#') at = std::min(content.find('\n', at), content.size() - 1);
    ++at;
  }
  int64_t value = 0;
  const char* const first = content.data() + std::min(at, content.size());
  const auto [end, error] = std::from_chars(first, content.data() + content.size(), value);
  if (error != std::errc()) return 0;
  at += static_cast<std::size_t>(end - first);
  return value;
}

// Where an output pixel looks in a row or column of `size`.
struct Tap {
  int64_t low = 0, high = 0;
  float weight = 0;  // of high
};

std::vector<Tap> taps(int64_t size, int64_t wanted) {
  std::vector<Tap> result;
  const float scale = static_cast<float>(size) / static_cast<float>(wanted);
  for (int64_t i = 0; i < wanted; ++i) {
    const float centre = (static_cast<float>(i) + 0.5F) * scale - 0.5F;
    const float at = std::clamp(centre, 0.0F, static_cast<float>(size - 1));
    const auto low = static_cast<int64_t>(at);
    result.push_back({low, std::min(low + 1, size - 1), at - static_cast<float>(low)});
  }
  return result;
}

}  // namespace

Result<PpmImage> parse_ppm(std::string_view content, const std::string& where) {
  const Error wrong{ErrorKind::input, "is not a complete P6 image with 8 bits per channel", where,
                    "convert it: convert in.jpg out.ppm"};
  if (!content.starts_with("P6")) return wrong;
  std::size_t at = 2;
  PpmImage image;
  image.width = next_number(content, at);
  image.height = next_number(content, at);
  const int64_t most = next_number(content, at);
  if (most != 255 || image.width < 1 || image.height < 1) return wrong;
  if (image.width > kMostPixels || image.height > kMostPixels) return wrong;
  ++at;  // one white space before the pixels
  const auto bytes = static_cast<std::size_t>(3 * image.width * image.height);
  if (at > content.size() || content.size() - at < bytes) return wrong;
  image.pixels = content.substr(at, bytes);
  return image;
}

void resize_normalised(const PpmImage& image, int64_t height, int64_t width, float* out) {
  const std::vector<Tap> rows = taps(image.height, height);
  const std::vector<Tap> columns = taps(image.width, width);
  const auto* const pixels = reinterpret_cast<const unsigned char*>(image.pixels.data());
  for (std::size_t c = 0; c < kMeans.size(); ++c) {
    const auto channel = static_cast<int64_t>(c);
    for (const Tap& row : rows) {
      const auto* const above = pixels + 3 * row.low * image.width + channel;
      const auto* const below = pixels + 3 * row.high * image.width + channel;
      for (const Tap& column : columns) {
        const auto between = [&](const unsigned char* line) {
          const auto left = static_cast<float>(line[3 * column.low]);
          const auto right = static_cast<float>(line[3 * column.high]);
          return left + column.weight * (right - left);
        };
        const float upper = between(above);
        const float value = upper + row.weight * (between(below) - upper);
        *out++ = (value / 255.0F - kMeans[c]) / kDeviations[c];
      }
    }
  }
}

}  // namespace batchscope::loading
