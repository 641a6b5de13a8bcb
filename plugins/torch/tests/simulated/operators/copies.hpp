#pragma once

#include <ATen/core/Tensor.h>

// What a device's copy engine does.
namespace batchscope::simulated {

at::Tensor& copy(at::Tensor& self, const at::Tensor& source, bool non_blocking);
at::Tensor copy_from(const at::Tensor& source, const at::Tensor& self, bool non_blocking);
at::Tensor copy_from_and_resize(const at::Tensor& source, const at::Tensor& self);
at::Scalar local_scalar(const at::Tensor& self);

}  // namespace batchscope::simulated
