#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

#include "batchscope/engine/tensor.hpp"

namespace batchscope::torch_plugin {

// The same memory, not a copy: `tensor` outlives what is returned, and has a known type.
at::Tensor as_torch(const engine::Tensor& tensor);

// A copy. `tensor` is on the CPU, of a type that input specs know; others are made float32.
engine::Tensor to_host_tensor(const at::Tensor& tensor, std::string name);

// engine::pool_on_host by LibTorch's operators, where the output is. Errors: input.
base::Result<at::Tensor> pooled(const at::Tensor& output, const std::optional<at::Tensor>& mask,
                                const engine::Pool& pool);

}  // namespace batchscope::torch_plugin
