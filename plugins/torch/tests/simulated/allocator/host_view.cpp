#include "host_view.hpp"

#include <ATen/ATen.h>

#include "memory.hpp"
#include "state/options.hpp"

namespace batchscope::simulated {

bool on_device(const at::Tensor& tensor) {
  return tensor.defined() && tensor.device().type() == kType;
}

at::Tensor host_view(const at::Tensor& tensor) {
  if (!on_device(tensor)) return tensor;
  const auto kind = at::TensorOptions(tensor.scalar_type()).device(at::kCPU);
  if (tensor.numel() == 0) return at::empty_strided(tensor.sizes(), tensor.strides(), kind);
  return at::from_blob(behind(tensor.data_ptr()), tensor.sizes(), tensor.strides(), kind);
}

at::Tensor resizable_host_view(const at::Tensor& tensor) {
  if (!on_device(tensor) || tensor.numel() == 0) return host_view(tensor);
  const at::Tensor plain = host_view(tensor);
  if (tensor.numel() == 1) return at::empty({0}, plain.options());  // often larger for a while
  auto storage = c10::make_intrusive<c10::StorageImpl>(
      c10::StorageImpl::use_byte_size_t(), plain.storage().nbytes(),
      c10::DataPtr(plain.data_ptr(), c10::kCPU), c10::GetAllocator(c10::kCPU), /*resizable=*/true);
  at::Tensor made = at::empty({0}, plain.options());
  made.set_(c10::Storage(std::move(storage)), 0, tensor.sizes(), tensor.strides());
  return made;
}

at::Tensor as_meta(const at::Tensor& tensor) {
  if (!on_device(tensor)) return tensor;
  return at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().device(at::kMeta));
}

at::Tensor empty_like_on(const at::Tensor& tensor, c10::Device device) {
  if (!tensor.defined()) return tensor;
  return at::empty_strided(tensor.sizes(), tensor.strides(),
                           at::TensorOptions(tensor.scalar_type()).device(device));
}

c10::IValue mapped(const c10::IValue& value,
                   const std::function<at::Tensor(const at::Tensor&)>& f) {
  if (value.isTensor()) return f(value.toTensor());
  if (value.isTensorList()) {
    c10::List<at::Tensor> list;
    for (const at::Tensor& each : value.toTensorVector()) list.push_back(f(each));
    return list;
  }
  if (value.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> list;
    for (const std::optional<at::Tensor>& each : value.toOptionalTensorVector()) {
      list.push_back(each ? std::optional<at::Tensor>(f(*each)) : std::nullopt);
    }
    return list;
  }
  return value;
}

std::vector<at::Tensor> tensors_of(const c10::IValue& value) {
  std::vector<at::Tensor> found;
  mapped(value, [&](const at::Tensor& tensor) {
    found.push_back(tensor);
    return tensor;
  });
  return found;
}

int64_t bytes_of(const Stack& values) {
  int64_t bytes = 0;
  for (const c10::IValue& value : values) {
    for (const at::Tensor& tensor : tensors_of(value)) {
      if (tensor.defined()) bytes += static_cast<int64_t>(tensor.nbytes());
    }
  }
  return bytes;
}

}  // namespace batchscope::simulated
