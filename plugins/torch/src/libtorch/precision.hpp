#pragma once

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/tensor.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::torch_plugin {

at::ScalarType scalar_type(schema::Precision precision);

// Makes float32 mean float32: by default cuDNN's convolutions round their inputs to TF32 (10 bits).
void keep_float32_exact();

at::ScalarType scalar_type(engine::DType dtype);
// The other way; nothing for a type that input specs have none for.
std::optional<engine::DType> dtype_of(at::ScalarType type);

// Checks that weights stored as `stored` can be run as asked without a change of their type:
// `what` is "fp32" and some tensor is not, say. Types that are not floating point are ignored.
// Errors: failed, naming the stored type and the precision that fits it.
base::Result<void> check_stored(const std::vector<at::ScalarType>& stored,
                                schema::Precision precision, std::string_view where,
                                std::string_view fix);

// While it lives, operations on `device` run in `dtype` where that is safe, as torch.autocast does;
// without a dtype it does nothing.
class Autocast {
 public:
  Autocast(c10::DeviceType device, std::optional<at::ScalarType> dtype);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  c10::DeviceType device_;
  bool active_;
  bool was_enabled_ = false;
  at::ScalarType before_ = at::kFloat;
};

}  // namespace batchscope::torch_plugin
