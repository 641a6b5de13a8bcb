#include "device.hpp"

#include <ATen/DeviceAccelerator.h>
#include <ATen/Parallel.h>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::torch_plugin {

std::vector<std::string> device_names() {
  std::vector<std::string> names{"cpu"};
  const auto type = at::accelerator::getAccelerator();
  if (!type) return names;
  for (c10::DeviceIndex i = 0; i < at::accelerator::deviceCount(); ++i) {
    names.push_back(c10::DeviceTypeName(*type, true) + ":" + std::to_string(i));
  }
  return names;
}

base::Result<c10::Device> find_device(std::string_view name) {
  // Asking for accelerators starts their driver, which costs a worker on the CPU for nothing.
  if (name == "cpu") return c10::Device(c10::kCPU);
  const auto names = device_names();
  if (base::contains(names, name)) return c10::Device(std::string(name));
  return base::Error{
      base::ErrorKind::failed,
      "device '" + std::string(name) + "' does not exist; available: " + base::join(names, ", "),
      "--device",
      names.size() > 1 ? "choose one of these"
                       : "LibTorch finds no accelerator: check the driver (nvidia-smi), and use a "
                         "CUDA build of torch"};
}

c10::Stream current_stream(const c10::Device& device) {
  return at::accelerator::getCurrentStream(device.index());
}

at::Tensor moved(const at::Tensor& tensor, c10::Device device) {
  return tensor.to(device, tensor.scalar_type(), /*non_blocking=*/true);
}

std::vector<at::Tensor> moved(const std::vector<at::Tensor>& tensors, c10::Device device) {
  std::vector<at::Tensor> result;
  result.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) result.push_back(moved(tensor, device));
  return result;
}

base::Result<void> set_threads(int threads) {
  // May be set once in a process, and only before the pool exists: a second model finds it done.
  if (at::get_num_interop_threads() != 1) at::set_num_interop_threads(1);
  at::set_num_threads(threads);
  if (at::get_num_threads() == threads) return {};
  return base::Error{base::ErrorKind::failed,
                     "LibTorch runs with " + std::to_string(at::get_num_threads()) +
                         " threads instead of " + std::to_string(threads),
                     "--threads", "unset OMP_THREAD_LIMIT and OMP_DYNAMIC, or use fewer threads"};
}

}  // namespace batchscope::torch_plugin
