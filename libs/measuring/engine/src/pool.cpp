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

Error unfit(const std::string& name, const std::vector<int64_t>& dimensions, std::string what) {
  return {ErrorKind::input, std::move(what),
          fmt::format("{} [{}]", name, fmt::join(dimensions, ", ")),
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

std::vector<float> pooled(std::span<const float> values, const std::vector<float>& mask,
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

// What is real, a number a token; empty where every token is. Errors: input.
Result<std::vector<float>> real_tokens(const Tensor* mask, const std::vector<int64_t>& hidden) {
  if (mask == nullptr) return std::vector<float>{};
  if (mask->dimensions == std::vector<int64_t>{hidden[0], hidden[1]}) return to_floats(*mask);
  return unfit("the output", hidden, "does not match the mask " + describe(*mask));
}

}  // namespace

Result<Tensor> pool_on_host(const std::string& name, const std::vector<int64_t>& dimensions,
                            std::span<const float> values, const Tensor* mask, const Pool& pool) {
  const bool pools = pool.pooling != Pooling::none;
  if (pools && (dimensions.size() != 3 || dimensions[1] < 1)) {
    return unfit(name, dimensions, "has no vectors to pool");
  }
  if (dimensions.empty()) return unfit(name, dimensions, "has no vectors to normalize");
  const auto width = static_cast<std::size_t>(dimensions.back());
  std::vector<int64_t> sizes = dimensions;
  std::vector<float> rows;
  if (pools) {
    auto real = real_tokens(pool.pooling == Pooling::mean ? mask : nullptr, dimensions);
    if (!real) return std::move(real).error();
    rows = pooled(values, *real,
                  {static_cast<std::size_t>(sizes[0]), static_cast<std::size_t>(sizes[1]), width},
                  pool.pooling);
    sizes.erase(sizes.begin() + 1);
  } else {
    rows.assign(values.begin(), values.end());
  }
  if (pool.normalize && width > 0) normalize_rows(rows, width);
  return float_tensor(name, std::move(sizes), rows);
}

Result<Tensor> pool_on_host(const Tensor& output, const Tensor* mask, const Pool& pool) {
  const auto values = to_floats(output);
  if (!values) return values.error();
  return pool_on_host(output.name, output.dimensions, *values, mask, pool);
}

}  // namespace batchscope::engine
