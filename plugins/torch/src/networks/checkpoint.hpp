#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace batchscope::torch_plugin {

// y = segment(x), of which only x is kept for the backward pass: there the segment is computed
// again, with the same random numbers (dropout) and the same autocast, and then differentiated. So
// memory holds the activations of one segment at a time, for a second forward pass. The gradients
// are those without it.
//
// x requires a gradient, and `segment`, called once more by backward(), adds to the gradients of
// the parameters that it reads. One tensor in, one out.
at::Tensor checkpointed(std::function<at::Tensor(const at::Tensor&)> segment, const at::Tensor& x);

}  // namespace batchscope::torch_plugin
