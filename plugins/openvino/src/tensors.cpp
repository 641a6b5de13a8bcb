#include "tensors.hpp"

#include <array>
#include <stdexcept>
#include <utility>

namespace batchscope::openvino_plugin {
namespace {

using Known = std::pair<engine::DType, ov::element::Type_t>;
constexpr std::array<Known, 7> kTypes{{{engine::DType::float32, ov::element::Type_t::f32},
                                       {engine::DType::float64, ov::element::Type_t::f64},
                                       {engine::DType::float16, ov::element::Type_t::f16},
                                       {engine::DType::bfloat16, ov::element::Type_t::bf16},
                                       {engine::DType::int64, ov::element::Type_t::i64},
                                       {engine::DType::int32, ov::element::Type_t::i32},
                                       {engine::DType::boolean, ov::element::Type_t::boolean}}};

ov::element::Type type_of(engine::DType dtype) {
  for (const auto& [known, type] : kTypes) {
    if (known == dtype) return type;
  }
  return ov::element::dynamic;
}

}  // namespace

std::optional<engine::DType> dtype_of(const ov::element::Type& type) {
  for (const auto& [dtype, known] : kTypes) {
    if (type == known) return dtype;
  }
  return std::nullopt;
}

ov::Tensor as_openvino(const engine::Tensor& tensor) {
  const ov::Shape shape(tensor.dimensions.begin(), tensor.dimensions.end());
  // An input is not written to, but its type does not say so.
  auto* const data = const_cast<std::byte*>(tensor.data.data());
  return {type_of(tensor.dtype), shape, data};
}

engine::Tensor to_host_tensor(const ov::Tensor& tensor, std::string name) {
  const auto dtype = dtype_of(tensor.get_element_type());
  if (!dtype) {
    throw std::runtime_error("output '" + name + "' is " + tensor.get_element_type().to_string() +
                             ", which host tensors do not support");
  }
  const ov::Shape& shape = tensor.get_shape();
  engine::Tensor host{std::move(name), *dtype, {shape.begin(), shape.end()}, {}};
  host.data.resize(tensor.get_byte_size());
  if (host.data.empty()) return host;
  ov::Tensor copy(tensor.get_element_type(), shape, host.data.data());
  tensor.copy_to(copy);
  return host;
}

}  // namespace batchscope::openvino_plugin
