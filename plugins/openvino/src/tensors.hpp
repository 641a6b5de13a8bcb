#pragma once

#include <openvino/openvino.hpp>
#include <string>
#include <string_view>

#include "batchscope/engine/tensor.hpp"

namespace batchscope::openvino_plugin {

// The name that input specs use: "float32", "int64", ...; empty for a type that they have none for.
std::string_view dtype_name(const ov::element::Type& type);

// The same memory, not a copy: `tensor` outlives what is returned. Its type is one with a name.
ov::Tensor as_openvino(const engine::Tensor& tensor);

// A copy. Throws what OpenVINO throws, and std::runtime_error for a type without a name.
engine::Tensor to_host_tensor(const ov::Tensor& tensor, std::string name);

}  // namespace batchscope::openvino_plugin
