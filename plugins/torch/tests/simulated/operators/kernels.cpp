#include "kernels.hpp"

#include <ATen/ATen.h>
#include <ATen/native/ConvUtils.h>

#include "call.hpp"

namespace batchscope::simulated {

std::tuple<at::Tensor, at::Tensor> native_dropout(const at::Tensor& input, double p,
                                                  std::optional<bool> train) {
  if (train.has_value() && !*train) {
    return {input.clone(), at::ones_like(input, at::TensorOptions(at::kBool))};
  }
  at::Tensor mask = at::empty_like(input, at::TensorOptions(at::kBool));
  mask.bernoulli_(1 - p);
  return {input * mask * (p < 1 ? 1 / (1 - p) : 0.0), mask};
}

at::Tensor convolution(const at::Tensor& input, const at::Tensor& weight,
                       const std::optional<at::Tensor>& bias, c10::IntArrayRef stride,
                       c10::IntArrayRef padding, c10::IntArrayRef dilation, bool transposed,
                       c10::IntArrayRef output_padding, int64_t groups) {
  TORCH_CHECK(!transposed, "not simulated: transposed convolution");
  at::Tensor out = at::empty(
      at::native::conv_output_size(input.sizes(), weight.sizes(), padding, stride, dilation),
      input.options());
  issue(input.device(), "aten::convolution", bytes_of({input, weight, out}),
        [out = host_view(out), input = host_view(input), weight = host_view(weight),
         bias = bias ? host_view(*bias) : at::Tensor(), stride = stride.vec(),
         padding = padding.vec(), dilation = dilation.vec(), output_padding = output_padding.vec(),
         groups] {
          const at::AutoDispatchBelowAutograd below;
          out.copy_(at::convolution(input, weight, bias, stride, padding, dilation, false,
                                    output_padding, groups));
        });
  return out;
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> convolution_backward(
    const at::Tensor& grad, const at::Tensor& input, const at::Tensor& weight,
    at::OptionalIntArrayRef /*bias*/, c10::IntArrayRef stride, c10::IntArrayRef padding,
    c10::IntArrayRef dilation, bool transposed, c10::IntArrayRef output_padding, int64_t groups,
    std::array<bool, 3> mask) {
  std::array<at::Tensor, 3> out;
  if (mask[0]) out[0] = at::empty(input.sizes(), input.options());
  if (mask[1]) out[1] = at::empty(weight.sizes(), weight.options());
  if (mask[2]) out[2] = at::empty({weight.size(0)}, weight.options());
  const std::array<at::Tensor, 3> filled{host_view(out[0]), host_view(out[1]), host_view(out[2])};
  issue(input.device(), "aten::convolution_backward",
        bytes_of({grad, input, weight, out[0], out[1]}),
        [filled, mask, transposed, groups, grad = host_view(grad), input = host_view(input),
         weight = host_view(weight), stride = stride.vec(), padding = padding.vec(),
         dilation = dilation.vec(), output_padding = output_padding.vec()] {
          const at::AutoDispatchBelowAutograd below;
          const std::vector<int64_t> bias{weight.size(0)};
          const auto [of_input, of_weight, of_bias] =
              at::convolution_backward(grad, input, weight, bias, stride, padding, dilation,
                                       transposed, output_padding, groups, mask);
          if (mask[0]) filled[0].copy_(of_input);
          if (mask[1]) filled[1].copy_(of_weight);
          if (mask[2]) filled[2].copy_(of_bias);
        });
  return {out[0], out[1], out[2]};
}

}  // namespace batchscope::simulated
