#pragma once

#include <openvino/openvino.hpp>
#include <optional>
#include <string>

#include "batchscope/engine/tensor.hpp"

namespace batchscope::openvino_plugin {

// Nothing for a type that input specs have none for.
std::optional<engine::DType> dtype_of(const ov::element::Type& type);

// The same memory, not a copy: `tensor` outlives what is returned. Its type is one that input specs
// have.
ov::Tensor as_openvino(const engine::Tensor& tensor);

// A copy. Throws what OpenVINO throws, and std::runtime_error for a type that dtype_of() has not.
engine::Tensor to_host_tensor(const ov::Tensor& tensor, std::string name);

}  // namespace batchscope::openvino_plugin
