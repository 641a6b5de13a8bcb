#include "resnet.hpp"

#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/relu_ops.h>

#include <array>
#include <cmath>

namespace batchscope::torch_plugin {

ResNet50::Unit ResNet50::make_unit(ParameterSource& source, const std::string& name,
                                   UnitShape shape, double scale) {
  // He et al. 2015, by fan-out, as torchvision starts it.
  const double fan_out = static_cast<double>(shape.out * shape.kernel * shape.kernel);
  Unit unit;
  unit.stride = shape.stride;
  unit.kernel = source.parameter(name + ".conv", {shape.out, shape.in, shape.kernel, shape.kernel},
                                 {0, std::sqrt(2.0 / fan_out)});
  unit.weight = source.parameter(name + ".norm.weight", {shape.out}, {scale, 0});
  unit.bias = source.parameter(name + ".norm.bias", {shape.out}, {0, 0});
  unit.mean = source.buffer(name + ".norm.mean", {shape.out}, {0, 0});
  unit.variance = source.buffer(name + ".norm.variance", {shape.out}, {1, 0});
  return unit;
}

ResNet50::Bottleneck ResNet50::make_bottleneck(ParameterSource& source, const std::string& name,
                                               int64_t in, int64_t width, int64_t stride) {
  const int64_t out = 4 * width;
  // Untrained statistics do not normalise: with a scale of 1 the variance would double with each of
  // the 16 blocks, too much for fp16. A small scale on each branch's last layer keeps it.
  constexpr double kBranchScale = 0.2;
  Bottleneck block;
  block.reduce = make_unit(source, name + ".reduce", {in, width, 1, 1});
  block.spatial = make_unit(source, name + ".spatial", {width, width, 3, stride});
  block.expand = make_unit(source, name + ".expand", {width, out, 1, 1}, kBranchScale);
  if (stride != 1 || in != out) {
    block.shortcut = make_unit(source, name + ".shortcut", {in, out, 1, stride});
  }
  return block;
}

ResNet50::ResNet50(ParameterSource& source) {
  struct Stage {
    int64_t blocks, width, stride;
  };
  constexpr std::array<Stage, 4> kStages{{{3, 64, 1}, {4, 128, 2}, {6, 256, 2}, {3, 512, 2}}};
  stem_ = make_unit(source, "stem", {3, 64, 7, 2});
  int64_t channels = 64;
  for (size_t s = 0; s < kStages.size(); ++s) {
    for (int64_t b = 0; b < kStages[s].blocks; ++b) {
      const std::string name = "stage" + std::to_string(s) + "." + std::to_string(b);
      const int64_t stride = b == 0 ? kStages[s].stride : 1;
      blocks_.push_back(make_bottleneck(source, name, channels, kStages[s].width, stride));
      channels = 4 * kStages[s].width;
    }
  }
  classifier_ = make_linear(source, "classifier", channels, 1000, 0.01);
}

at::Tensor ResNet50::apply(const Unit& unit, const at::Tensor& x, bool training) {
  const int64_t padding = unit.kernel.size(2) / 2;
  const at::Tensor y =
      at::conv2d(x, unit.kernel, {}, {unit.stride, unit.stride}, {padding, padding});
  constexpr double kMomentum = 0.1;
  constexpr double kEpsilon = 1e-5;
  return at::batch_norm(y, unit.weight, unit.bias, unit.mean, unit.variance, training, kMomentum,
                        kEpsilon, true);
}

at::Tensor ResNet50::apply(const Bottleneck& block, const at::Tensor& x, bool training) {
  at::Tensor y = apply(block.reduce, x, training).relu_();
  y = apply(block.spatial, y, training).relu_();
  y = apply(block.expand, y, training);
  y += block.shortcut ? apply(*block.shortcut, x, training) : x;
  return y.relu_();
}

std::vector<at::Tensor> ResNet50::forward(const std::vector<at::Tensor>& inputs, bool training) {
  at::Tensor x = apply(stem_, inputs.at(0), training).relu_();
  x = at::max_pool2d(x, {3, 3}, {2, 2}, {1, 1});
  for (const Bottleneck& block : blocks_) x = apply(block, x, training);
  return {classifier_(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1))};
}

}  // namespace batchscope::torch_plugin
