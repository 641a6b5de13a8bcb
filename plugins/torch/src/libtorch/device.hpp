#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Stream.h>

#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::torch_plugin {

// "cpu", and "cuda:0" ... for every accelerator that this LibTorch can reach.
std::vector<std::string> device_names();

// The device of that name. Errors: failed, saying which devices there are.
base::Result<c10::Device> find_device(std::string_view name);

// Work is issued to it and done later, with a clock of its own.
inline bool is_asynchronous(const c10::Device& device) {
  return !device.is_cpu();
}

// The stream that operations on `device` go to at present.
c10::Stream current_stream(const c10::Device& device);

// The same on `device`. The copies are issued on its current stream, not waited for; what is there
// already is not copied.
at::Tensor moved(const at::Tensor& tensor, c10::Device device);
std::vector<at::Tensor> moved(const std::vector<at::Tensor>& tensors, c10::Device device);

// Sets the threads of one operation, and one thread for independent operations (which is what a
// model that runs one operation after the other uses). Errors: failed, when LibTorch did not take
// the number.
base::Result<void> set_threads(int threads);

}  // namespace batchscope::torch_plugin
