// What answers for which operator.
#include <torch/library.h>

#include "copies.hpp"
#include "fallback.hpp"
#include "kernels.hpp"
#include "tensors.hpp"

namespace batchscope::simulated {
namespace {

TORCH_LIBRARY_IMPL(_, CUDA, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>());
}

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("empty.memory_format", &empty_memory_format);
  m.impl("empty_strided", &empty_strided);
  m.impl("resize_", &resize);
  m.impl("view", &view);
  m.impl("as_strided", &as_strided);
  m.impl("_reshape_alias", &reshape_alias);
  m.impl("set_.source_Storage_storage_offset", &set_storage);
  m.impl("set_.source_Tensor", &set_tensor);
  m.impl("set_.source_Storage", &set_full);
  m.impl("record_stream", &record_stream);
  m.impl("copy_", &copy);
  m.impl("_copy_from", &copy_from);
  m.impl("_copy_from_and_resize", &copy_from_and_resize);
  m.impl("_local_scalar_dense", &local_scalar);
  m.impl("native_dropout", &native_dropout);
  m.impl("convolution", &convolution);
  m.impl("convolution_backward", &convolution_backward);
  // A kernel of its own on devices, though LibTorch could compose it.
  m.impl("native_layer_norm", torch::CppFunction::makeFromBoxedFunction<&fallback>());
}

}  // namespace
}  // namespace batchscope::simulated
