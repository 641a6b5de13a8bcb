#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "networks/parameter_source.hpp"

namespace batchscope::torch_plugin {

// The models once more, from their papers' formulas in float64 and without the operators that the
// plugin uses (linear, layer_norm, gelu, scaled_dot_product_attention, batch_norm), on the same
// weights.
class Reference {
 public:
  explicit Reference(const ParameterFactory& factory);

  // Hidden state, and the pooled first token where the weights have a pooler.
  std::vector<at::Tensor> transformer(const at::Tensor& ids, const at::Tensor& mask, int64_t layers,
                                      int64_t heads) const;
  at::Tensor resnet50(const at::Tensor& images) const;

 private:
  const at::Tensor& weight(const std::string& name) const { return weights_.at(name); }
  at::Tensor linear(const std::string& name, const at::Tensor& x) const;
  at::Tensor layer_norm(const std::string& name, const at::Tensor& x) const;
  at::Tensor attention(const std::string& layer, const at::Tensor& x, const at::Tensor& mask,
                       int64_t heads) const;
  at::Tensor unit(const std::string& name, const at::Tensor& x, int64_t stride) const;

  std::map<std::string, at::Tensor> weights_;
};

}  // namespace batchscope::torch_plugin
