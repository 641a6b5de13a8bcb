#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "parameter_source.hpp"

namespace batchscope::torch_plugin {

// y = x W^T + b, W drawn with the given deviation, b = 0.
struct Linear {
  at::Tensor weight, bias;
  at::Tensor operator()(const at::Tensor& x) const;
};
Linear make_linear(ParameterSource& source, const std::string& name, int64_t in, int64_t out,
                   double deviation);

// Normalisation over the last axis, starting as scale 1 and shift 0.
struct LayerNorm {
  at::Tensor weight, bias;
  at::Tensor operator()(const at::Tensor& x) const;
};
LayerNorm make_layer_norm(ParameterSource& source, const std::string& name, int64_t width);

}  // namespace batchscope::torch_plugin
