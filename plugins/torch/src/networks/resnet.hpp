#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "layers.hpp"
#include "network.hpp"

namespace batchscope::torch_plugin {

// ResNet-50 for 1000 classes, the stride in the 3x3 convolution (torchvision's, "v1.5").
// Input: Bx3xHxW. Output: Bx1000.
class ResNet50 final : public Network {
 public:
  explicit ResNet50(ParameterSource& source);
  std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs, bool training) override;

 private:
  // A convolution without bias and the batch normalisation after it.
  struct Unit {
    at::Tensor kernel, weight, bias, mean, variance;
    int64_t stride = 1;
  };
  struct Bottleneck {
    Unit reduce, spatial, expand;
    std::optional<Unit> shortcut;
  };
  struct UnitShape {
    int64_t in, out, kernel, stride;
  };

  static Unit make_unit(ParameterSource& source, const std::string& name, UnitShape shape,
                        double scale = 1);
  static Bottleneck make_bottleneck(ParameterSource& source, const std::string& name, int64_t in,
                                    int64_t width, int64_t stride);
  static at::Tensor apply(const Unit& unit, const at::Tensor& x, bool training);
  static at::Tensor apply(const Bottleneck& block, const at::Tensor& x, bool training);

  Unit stem_;
  std::vector<Bottleneck> blocks_;
  Linear classifier_;
};

}  // namespace batchscope::torch_plugin
