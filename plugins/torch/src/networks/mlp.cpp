#include "mlp.hpp"

#include <ATen/ops/relu.h>

#include <cmath>

namespace batchscope::torch_plugin {

Mlp::Mlp(const std::vector<int64_t>& sizes, ParameterSource& source) {
  for (size_t i = 0; i + 1 < sizes.size(); ++i) {
    const double deviation = std::sqrt(2.0 / static_cast<double>(sizes[i]));  // He et al. 2015
    layers_.push_back(
        make_linear(source, "layer." + std::to_string(i), sizes[i], sizes[i + 1], deviation));
  }
}

std::vector<at::Tensor> Mlp::forward(const std::vector<at::Tensor>& inputs, bool) {
  at::Tensor x = inputs.at(0);
  for (size_t i = 0; i < layers_.size(); ++i) {
    x = layers_[i](x);
    if (i + 1 < layers_.size()) x = at::relu(x);
  }
  return {x};
}

}  // namespace batchscope::torch_plugin
