#include "tensors.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <string>
#include <vector>

namespace batchscope::python {

nb::tuple tuple_of(const engine::Tensor& tensor) {
  return nb::make_tuple(
      tensor.name, std::string(to_string(tensor.dtype)), tensor.dimensions,
      nb::bytes(reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size()));
}

engine::Tensor tensor_of(nb::handle reported) {
  engine::Tensor tensor;
  tensor.name = nb::cast<std::string>(reported[0]);
  tensor.dtype =
      engine::parse_dtype(nb::cast<std::string>(reported[1])).value_or(engine::DType::float32);
  tensor.dimensions = nb::cast<std::vector<int64_t>>(reported[2]);
  const auto bytes = nb::cast<nb::bytes>(reported[3]);
  tensor.data.resize(bytes.size());
  std::memcpy(tensor.data.data(), bytes.c_str(), bytes.size());
  return tensor;
}

}  // namespace batchscope::python
