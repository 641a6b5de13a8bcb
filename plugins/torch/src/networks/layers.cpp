#include "layers.hpp"

#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>

namespace batchscope::torch_plugin {

at::Tensor Linear::operator()(const at::Tensor& x) const {
  return at::linear(x, weight, bias);
}

Linear make_linear(ParameterSource& source, const std::string& name, int64_t in, int64_t out,
                   double deviation) {
  at::Tensor weight = source.parameter(name + ".weight", {out, in}, {0, deviation});
  at::Tensor bias = source.parameter(name + ".bias", {out}, {0, 0});
  return {std::move(weight), std::move(bias)};
}

at::Tensor LayerNorm::operator()(const at::Tensor& x) const {
  constexpr double kEpsilon = 1e-12;  // as BERT and DistilBERT are published
  return at::layer_norm(x, {x.size(-1)}, weight, bias, kEpsilon);
}

LayerNorm make_layer_norm(ParameterSource& source, const std::string& name, int64_t width) {
  at::Tensor weight = source.parameter(name + ".weight", {width}, {1, 0});
  at::Tensor bias = source.parameter(name + ".bias", {width}, {0, 0});
  return {std::move(weight), std::move(bias)};
}

}  // namespace batchscope::torch_plugin
