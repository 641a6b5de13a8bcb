#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/engine/tensor.hpp"

namespace batchscope::engine {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr float kShortest = 1e-12F;  // a vector is not divided by less, as in torch's normalize

Error unfit(const Tensor& tensor, std::string what) {
  return {ErrorKind::input, std::move(what), describe(tensor),
          "pooling takes the hidden state [batch, tokens, width] as the first output"};
}

void normalize_rows(std::span<float> values, std::size_t width) {
  for (std::size_t at = 0; at + width <= values.size(); at += width) {
    const std::span<float> row = values.subspan(at, width);
    float sum = 0;
    for (const float value : row) sum += value * value;
    const float scale = 1 / std::max(std::sqrt(sum), kShortest);
    for (float& value : row) value *= scale;
  }
}

struct Sizes {
  std::size_t batch, tokens, width;
};

// Row by row, so that the inner loop runs along the width.
void add_mean(const float* tokens, const float* mask, Sizes sizes, float* mean) {
  float counted = 0;
  for (std::size_t s = 0; s < sizes.tokens; ++s) {
    if (mask != nullptr && mask[s] == 0) continue;
    ++counted;
    for (std::size_t h = 0; h < sizes.width; ++h) mean[h] += tokens[s * sizes.width + h];
  }
  const float scale = counted == 0 ? 0 : 1 / counted;
  for (std::size_t h = 0; h < sizes.width; ++h) mean[h] *= scale;
}

std::vector<float> pooled(const std::vector<float>& values, const std::vector<float>& mask,
                          Sizes sizes, Pooling pooling) {
  std::vector<float> rows(sizes.batch * sizes.width);
  for (std::size_t b = 0; b < sizes.batch; ++b) {
    const float* const tokens = values.data() + b * sizes.tokens * sizes.width;
    float* const row = rows.data() + b * sizes.width;
    if (pooling == Pooling::cls) {
      std::copy_n(tokens, sizes.width, row);
    } else {
      add_mean(tokens, mask.empty() ? nullptr : mask.data() + b * sizes.tokens, sizes, row);
    }
  }
  return rows;
}

}  // namespace

Result<Tensor> pool_on_host(const Tensor& output, const Tensor* mask, const Pool& pool) {
  const auto& dims = output.dimensions;
  const bool pools = pool.pooling != Pooling::none;
  if (pools && (dims.size() != 3 || dims[1] < 1)) return unfit(output, "cannot be pooled");
  if (dims.empty()) return unfit(output, "has no vectors to normalize");
  auto values = to_floats(output);
  if (!values) return std::move(values).error();
  const auto width = static_cast<std::size_t>(dims.back());
  std::vector<int64_t> dimensions = dims;
  if (pools) {
    std::vector<float> real;
    if (mask != nullptr && pool.pooling == Pooling::mean) {
      if (mask->dimensions != std::vector<int64_t>{dims[0], dims[1]}) {
        return unfit(output, fmt::format("does not go with the mask {}", describe(*mask)));
      }
      auto floats = to_floats(*mask);
      if (!floats) return std::move(floats).error();
      real = *std::move(floats);
    }
    const Sizes sizes{static_cast<std::size_t>(dims[0]), static_cast<std::size_t>(dims[1]), width};
    *values = pooled(*values, real, sizes, pool.pooling);
    dimensions.erase(dimensions.begin() + 1);
  }
  if (pool.normalize && width > 0) normalize_rows(*values, width);
  return float_tensor(output.name, std::move(dimensions), *values);
}

}  // namespace batchscope::engine
