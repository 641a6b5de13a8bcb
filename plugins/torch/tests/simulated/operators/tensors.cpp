#include "tensors.hpp"

#include <ATen/EmptyTensor.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/DeviceGuard.h>

#include "allocator/memory.hpp"
#include "state/options.hpp"
#include "work/streams.hpp"

namespace batchscope::simulated {
namespace {

c10::Device wanted(std::optional<c10::Device> device) {
  if (device && device->index() >= 0) return *device;
  return {kType, current_device()};
}

std::size_t size_of_element(const at::Tensor& tensor) {
  return static_cast<std::size_t>(tensor.element_size());
}

void grow(const c10::Storage& storage, std::size_t bytes) {
  c10::DataPtr data = device_memory()->allocate(bytes);
  if (storage.nbytes() > 0) {
    device_memory()->copy_data(data.get(), storage.data(), storage.nbytes());
  }
  storage.unsafeGetStorageImpl()->set_data_ptr_noswap(std::move(data));
  storage.unsafeGetStorageImpl()->set_nbytes(bytes);
}

}  // namespace

at::Tensor empty_memory_format(c10::IntArrayRef size, std::optional<at::ScalarType> dtype,
                               std::optional<c10::Layout> /*layout*/,
                               std::optional<c10::Device> device, std::optional<bool> /*pinned*/,
                               std::optional<c10::MemoryFormat> format) {
  const c10::DeviceGuard guard(wanted(device));
  return at::detail::empty_generic(size, device_memory(), c10::DispatchKeySet(kKey),
                                   c10::dtype_or_default(dtype), format);
}

at::Tensor empty_strided(c10::IntArrayRef size, c10::IntArrayRef stride,
                         std::optional<at::ScalarType> dtype, std::optional<c10::Layout> /*layout*/,
                         std::optional<c10::Device> device, std::optional<bool> /*pinned*/) {
  const c10::DeviceGuard guard(wanted(device));
  return at::detail::empty_strided_generic(size, stride, device_memory(), c10::DispatchKeySet(kKey),
                                           c10::dtype_or_default(dtype));
}

const at::Tensor& resize(const at::Tensor& self, c10::IntArrayRef size,
                         std::optional<c10::MemoryFormat> /*format*/) {
  self.unsafeGetTensorImpl()->set_sizes_contiguous(size);
  const auto elements = static_cast<std::size_t>(self.numel() + self.storage_offset());
  const std::size_t bytes = elements * size_of_element(self);
  const c10::DeviceGuard guard(self.device());
  if (bytes > self.storage().nbytes()) grow(self.storage(), bytes);
  return self;
}

at::Tensor view(const at::Tensor& self, c10::IntArrayRef size) {
  return at::native::view(self, size);
}

at::Tensor as_strided(const at::Tensor& self, c10::IntArrayRef size, c10::IntArrayRef stride,
                      std::optional<int64_t> offset) {
  return at::native::as_strided_tensorimpl(self, size, stride, offset);
}

at::Tensor reshape_alias(const at::Tensor& self, c10::IntArrayRef size, c10::IntArrayRef stride) {
  return at::native::_reshape_alias(self, size, stride);
}

at::Tensor& set_storage(at::Tensor& self, c10::Storage source, int64_t offset,
                        c10::IntArrayRef size, c10::IntArrayRef stride) {
  auto* const impl = self.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(std::move(source));
  if (stride.data() == nullptr || stride.size() != size.size()) {
    impl->set_sizes_contiguous(size);
    impl->set_storage_offset(offset);
  } else {
    impl->set_sizes_and_strides(size, stride, offset);
  }
  return self;
}

at::Tensor& set_tensor(at::Tensor& self, const at::Tensor& source) {
  return set_storage(self, source.storage(), source.storage_offset(), source.sizes(),
                     source.strides());
}

at::Tensor& set_full(at::Tensor& self, c10::Storage source) {
  const auto elements = static_cast<int64_t>(source.nbytes() / size_of_element(self));
  return set_storage(self, std::move(source), 0, {elements}, {});
}

void record_stream(at::Tensor& self, c10::Stream stream) {
  device_memory()->recordStream(self.storage().data_ptr(), stream);
}

}  // namespace batchscope::simulated
