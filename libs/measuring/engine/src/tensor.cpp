#include "batchscope/engine/tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "batchscope/base/enum_names.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/engine/engine.hpp"
#include "small_floats.hpp"

namespace batchscope::engine {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

using base::Name;
constexpr std::array kNames = {
    Name<DType>{DType::float32, "float32"}, Name<DType>{DType::float64, "float64"},
    Name<DType>{DType::float16, "float16"}, Name<DType>{DType::bfloat16, "bfloat16"},
    Name<DType>{DType::int64, "int64"},     Name<DType>{DType::int32, "int32"},
    Name<DType>{DType::boolean, "bool"}};

template <class T, class Convert>
std::vector<float> converted(const Tensor& tensor, Convert convert) {
  std::vector<float> values(tensor.data.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    T element;
    std::memcpy(&element, tensor.data.data() + i * sizeof(T), sizeof(T));
    values[i] = convert(element);
  }
  return values;
}

template <class T>
float plain(T value) {
  return static_cast<float>(value);
}

}  // namespace

std::string_view to_string(DType dtype) {
  return base::name_of(kNames, dtype);
}

std::optional<DType> parse_dtype(std::string_view text) {
  for (const DType dtype : kDTypes) {
    if (to_string(dtype) == text) return dtype;
  }
  return std::nullopt;
}

std::size_t element_bytes(DType dtype) {
  switch (dtype) {
    case DType::float64:
    case DType::int64:
      return 8;
    case DType::float32:
    case DType::int32:
      return 4;
    case DType::float16:
    case DType::bfloat16:
      return 2;
    case DType::boolean:
      break;
  }
  return 1;
}

std::optional<int64_t> elements_of(std::span<const int64_t> dimensions, std::size_t bytes) {
  int64_t elements = 1, all = 0;
  for (const int64_t size : dimensions) {
    if (__builtin_mul_overflow(elements, size, &elements)) return std::nullopt;
  }
  if (__builtin_mul_overflow(elements, static_cast<int64_t>(bytes), &all)) return std::nullopt;
  return elements;
}

int64_t element_count(const Tensor& tensor) {
  return std::accumulate(tensor.dimensions.begin(), tensor.dimensions.end(), int64_t{1},
                         std::multiplies<>());
}

std::string describe(const Tensor& tensor) {
  return fmt::format("{} {} [{}]", tensor.name, to_string(tensor.dtype),
                     fmt::join(tensor.dimensions, ", "));
}

Tensor float_tensor(std::string name, std::vector<int64_t> dimensions,
                    std::span<const float> values) {
  const auto bytes = std::as_bytes(values);
  return {std::move(name), DType::float32, std::move(dimensions), {bytes.begin(), bytes.end()}};
}

Result<std::vector<float>> to_floats(const Tensor& tensor) {
  const std::size_t size = element_bytes(tensor.dtype);
  if (static_cast<std::size_t>(element_count(tensor)) * size != tensor.data.size()) {
    return Error{ErrorKind::input, "the data does not fill the dimensions", describe(tensor), ""};
  }
  if (tensor.dtype == DType::float32) return converted<float>(tensor, plain<float>);
  if (tensor.dtype == DType::float64) return converted<double>(tensor, plain<double>);
  if (tensor.dtype == DType::bfloat16) return converted<uint16_t>(tensor, from_bfloat16);
  if (tensor.dtype == DType::float16) return converted<uint16_t>(tensor, from_float16);
  if (tensor.dtype == DType::int64) return converted<int64_t>(tensor, plain<int64_t>);
  if (tensor.dtype == DType::int32) return converted<int32_t>(tensor, plain<int32_t>);
  return converted<uint8_t>(tensor, plain<uint8_t>);
}

const Tensor* find_mask(std::span<const Tensor> inputs) {
  const auto found = std::find_if(inputs.begin(), inputs.end(), [](const Tensor& input) {
    return input.dimensions.size() == 2 && names_a_mask(input.name);
  });
  return found == inputs.end() ? nullptr : &*found;
}

}  // namespace batchscope::engine
