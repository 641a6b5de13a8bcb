#pragma once

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/Device.h>

namespace batchscope::simulated {

// Addresses of a device cannot be read by the host (it would crash); kernels use the memory behind
// them.
c10::DeviceAllocator* device_memory();
void* behind(const void* device_address);
c10::DeviceIndex device_of_address(const void* address);  // -1: none

c10::Allocator* pinned_memory();
bool is_pinned(const void* address);

}  // namespace batchscope::simulated
