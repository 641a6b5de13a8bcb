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
  // From now on training keeps only the input of each layer and computes the layer again in the
  // backward pass. False: the network is not made of layers that can be.
  virtual bool checkpoint_layers() { return false; }
};

}  // namespace batchscope::torch_plugin
