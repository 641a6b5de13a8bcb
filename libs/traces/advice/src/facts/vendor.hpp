#pragma once

#include <string>

#include "batchscope/trace/trace.hpp"

namespace batchscope::advice {

enum class Vendor { nvidia, amd, intel, mtia, ascend, other };

// How a vendor's devices and tools are called. Empty: there is none to name.
struct VendorWords {
  Vendor vendor = Vendor::other;
  std::string_view device;     // "GPU"
  std::string_view graphs;     // what replays launches
  std::string_view allocator;  // the variable that sets PyTorch's allocator
  std::string_view autocast;   // torch.autocast's name of the device
  std::string_view kernel_profiler;
};

// By the runtime's calls, the versions that the recorder wrote, and the devices' names.
const VendorWords& vendor_of(const trace::Trace& trace);

// Which units for fewer digits a device has.
struct PrecisionUnits {
  bool fp16 = false;
  bool bf16 = false;
  bool tf32 = false;
};
PrecisionUnits precision_units(const trace::DeviceInfo* device, Vendor vendor);

}  // namespace batchscope::advice
