#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace batchscope::torch_plugin {

// A built-in model: holds its tensors and computes.
class Network {
 public:
  virtual ~Network() = default;
  // Inputs in the order of the model's input specs. `training` switches dropout and the statistics
  // of normalisation. The first output is what the loss is taken of.
  virtual std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs, bool training) = 0;
};

}  // namespace batchscope::torch_plugin
