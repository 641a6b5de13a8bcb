#include "reference_models.hpp"

#include <ATen/ATen.h>

#include <array>
#include <cmath>

namespace batchscope::torch_plugin {
namespace {

at::Tensor exact_gelu(const at::Tensor& x) {
  return 0.5 * x * (1 + at::erf(x / std::sqrt(2.0)));
}

}  // namespace

Reference::Reference(const ParameterFactory& factory) {
  for (const auto& [name, tensor] : factory.named()) weights_[name] = tensor.to(at::kDouble);
}

at::Tensor Reference::linear(const std::string& name, const at::Tensor& x) const {
  return at::matmul(x, weight(name + ".weight").t()) + weight(name + ".bias");
}

at::Tensor Reference::layer_norm(const std::string& name, const at::Tensor& x) const {
  const at::Tensor centred = x - x.mean(-1, true);
  const at::Tensor variance = (centred * centred).mean(-1, true);
  return centred / at::sqrt(variance + 1e-12) * weight(name + ".weight") + weight(name + ".bias");
}

at::Tensor Reference::attention(const std::string& layer, const at::Tensor& x,
                                const at::Tensor& mask, int64_t heads) const {
  const int64_t size = x.size(2) / heads;
  const at::Tensor query = linear(layer + "query", x);
  const at::Tensor key = linear(layer + "key", x);
  const at::Tensor value = linear(layer + "value", x);
  const at::Tensor padding = (1 - mask.to(at::kDouble)).unsqueeze(1) * -1e30;
  std::vector<at::Tensor> results;
  for (int64_t h = 0; h < heads; ++h) {
    const auto part = [&](const at::Tensor& t) { return t.narrow(2, h * size, size); };
    const at::Tensor scores = at::matmul(part(query), part(key).transpose(1, 2));
    const at::Tensor shares =
        at::softmax(scores / std::sqrt(static_cast<double>(size)) + padding, -1);
    results.push_back(at::matmul(shares, part(value)));
  }
  return linear(layer + "out", at::cat(results, 2));
}

std::vector<at::Tensor> Reference::transformer(const at::Tensor& ids, const at::Tensor& mask,
                                               int64_t layers, int64_t heads) const {
  at::Tensor x = weight("embeddings.word").index({ids}) +
                 weight("embeddings.position").narrow(0, 0, ids.size(1));
  if (weights_.contains("embeddings.token_type")) x = x + weight("embeddings.token_type")[0];
  x = layer_norm("embeddings.norm", x);
  for (int64_t i = 0; i < layers; ++i) {
    const std::string layer = "layer." + std::to_string(i) + ".";
    x = layer_norm(layer + "attention_norm", x + attention(layer, x, mask, heads));
    x = layer_norm(layer + "output_norm",
                   x + linear(layer + "down", exact_gelu(linear(layer + "up", x))));
  }
  if (!weights_.contains("pooler.weight")) return {x};
  return {x, at::tanh(linear("pooler", x.select(1, 0)))};
}

at::Tensor Reference::unit(const std::string& name, const at::Tensor& x, int64_t stride) const {
  const at::Tensor& kernel = weight(name + ".conv");
  const int64_t size = kernel.size(2);
  const at::Tensor columns =
      at::im2col(x, {size, size}, {1, 1}, {size / 2, size / 2}, {stride, stride});
  const int64_t height = (x.size(2) + stride - 1) / stride;
  const at::Tensor y =
      at::matmul(kernel.flatten(1), columns).view({x.size(0), kernel.size(0), height, -1});
  // The running statistics are those of an untrained model: mean 0, variance 1.
  const at::Tensor scale = weight(name + ".norm.weight") / std::sqrt(1 + 1e-5);
  return y * scale.view({1, -1, 1, 1}) + weight(name + ".norm.bias").view({1, -1, 1, 1});
}

at::Tensor Reference::resnet50(const at::Tensor& images) const {
  const std::array<int, 4> blocks{3, 4, 6, 3};
  at::Tensor x = at::relu(unit("stem", images.to(at::kDouble), 2));
  x = at::max_pool2d(x, {3, 3}, {2, 2}, {1, 1});
  for (size_t s = 0; s < blocks.size(); ++s) {
    for (int b = 0; b < blocks[s]; ++b) {
      const std::string name = "stage" + std::to_string(s) + "." + std::to_string(b);
      const int64_t stride = s > 0 && b == 0 ? 2 : 1;
      at::Tensor y = at::relu(unit(name + ".reduce", x, 1));
      y = at::relu(unit(name + ".spatial", y, stride));
      y = unit(name + ".expand", y, 1);
      x = at::relu(y + (b == 0 ? unit(name + ".shortcut", x, stride) : x));
    }
  }
  return linear("classifier", x.mean({2, 3}));
}

}  // namespace batchscope::torch_plugin
