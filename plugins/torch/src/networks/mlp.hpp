#pragma once

#include <vector>

#include "layers.hpp"
#include "network.hpp"

namespace batchscope::torch_plugin {

// Linear layers with ReLU between them. Input: B x sizes.front(). Output: B x sizes.back().
class Mlp final : public Network {
 public:
  Mlp(const std::vector<int64_t>& sizes, ParameterSource& source);
  std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs, bool training) override;

 private:
  std::vector<Linear> layers_;
};

}  // namespace batchscope::torch_plugin
