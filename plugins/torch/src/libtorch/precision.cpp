#include "precision.hpp"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>

#include <array>
#include <utility>

namespace batchscope::torch_plugin {
namespace {

constexpr std::array<std::pair<engine::DType, at::ScalarType>, 7> kTypes{
    {{engine::DType::float32, at::kFloat},
     {engine::DType::float64, at::kDouble},
     {engine::DType::float16, at::kHalf},
     {engine::DType::bfloat16, at::kBFloat16},
     {engine::DType::int64, at::kLong},
     {engine::DType::int32, at::kInt},
     {engine::DType::boolean, at::kBool}}};

}  // namespace

at::ScalarType scalar_type(schema::Precision precision) {
  switch (precision) {
    case schema::Precision::fp32:
      return at::kFloat;
    case schema::Precision::bf16:
      return at::kBFloat16;
    case schema::Precision::fp16:
      return at::kHalf;
  }
  return at::kFloat;
}

void keep_float32_exact() {
  at::globalContext().setAllowTF32CuDNN(false);
  at::globalContext().setAllowTF32CuBLAS(false);
}

at::ScalarType scalar_type(engine::DType dtype) {
  for (const auto& [known, type] : kTypes) {
    if (known == dtype) return type;
  }
  return at::kFloat;
}

std::optional<engine::DType> dtype_of(at::ScalarType type) {
  for (const auto& [dtype, known] : kTypes) {
    if (known == type) return dtype;
  }
  return std::nullopt;
}

base::Result<void> check_stored(const std::vector<at::ScalarType>& stored,
                                schema::Precision precision, std::string_view where,
                                std::string_view fix) {
  const at::ScalarType wanted = scalar_type(precision);
  for (const at::ScalarType type : stored) {
    if (!at::isFloatingType(type) || type == wanted) continue;
    return base::Error{base::ErrorKind::failed,
                       std::string("holds ") + at::toString(type) + " weights, " +
                           std::string(schema::to_string(precision)) + " was requested",
                       std::string(where), std::string(fix)};
  }
  return {};
}

Autocast::Autocast(c10::DeviceType device, std::optional<at::ScalarType> dtype)
    : device_(device), active_(dtype.has_value()) {
  if (!active_) return;
  was_enabled_ = at::autocast::is_autocast_enabled(device_);
  before_ = at::autocast::get_autocast_dtype(device_);
  at::autocast::increment_nesting();
  at::autocast::set_autocast_dtype(device_, *dtype);
  at::autocast::set_autocast_enabled(device_, true);
}

Autocast::~Autocast() {
  if (!active_) return;
  at::autocast::set_autocast_enabled(device_, was_enabled_);
  at::autocast::set_autocast_dtype(device_, before_);
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
}

}  // namespace batchscope::torch_plugin
