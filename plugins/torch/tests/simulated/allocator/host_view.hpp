#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <vector>

namespace batchscope::simulated {

using Stack = std::vector<c10::IValue>;

bool on_device(const at::Tensor& tensor);
// The memory behind a tensor of a device as a tensor of the CPU; it keeps nothing alive. Others as
// they are.
at::Tensor host_view(const at::Tensor& tensor);
// The same for an out= argument: some kernels resize it on the way, and then it moves.
at::Tensor resizable_host_view(const at::Tensor& tensor);
// Shapes without memory.
at::Tensor as_meta(const at::Tensor& tensor);
at::Tensor empty_like_on(const at::Tensor& tensor, c10::Device device);

// The value with `f` of each tensor in it.
c10::IValue mapped(const c10::IValue& value, const std::function<at::Tensor(const at::Tensor&)>& f);
std::vector<at::Tensor> tensors_of(const c10::IValue& value);
// Of all tensors.
int64_t bytes_of(const Stack& values);

}  // namespace batchscope::simulated
