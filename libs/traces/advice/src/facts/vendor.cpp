#include "vendor.hpp"

#include <algorithm>
#include <array>

#include "batchscope/base/strings.hpp"

namespace batchscope::advice {
namespace {

using base::contains_text;

constexpr std::array<VendorWords, 6> kVendors{{
    {Vendor::nvidia, "GPU", "CUDA graphs", "PYTORCH_CUDA_ALLOC_CONF", "cuda",
     "ncu --kernel-name regex:NAME python train.py"},
    {Vendor::amd, "GPU", "HIP graphs", "PYTORCH_HIP_ALLOC_CONF", "cuda", "rocprof-compute profile"},
    {Vendor::intel, "GPU", "", "", "xpu", "unitrace"},
    {Vendor::mtia, "MTIA", "", "", "mtia", ""},
    {Vendor::ascend, "NPU", "NPU graphs", "PYTORCH_NPU_ALLOC_CONF", "npu", "msprof op"},
    {Vendor::other, "GPU", "", "", "cuda", ""},
}};

struct Sign {
  std::string_view text;
  Vendor vendor;
};

// Of calls of the runtime their beginnings.
constexpr std::array<Sign, 8> kCalls{{{"hip", Vendor::amd},
                                      {"cuda", Vendor::nvidia},
                                      {"cu", Vendor::nvidia},
                                      {"ur", Vendor::intel},
                                      {"ze", Vendor::intel},
                                      {"enqueueCommand", Vendor::mtia},
                                      {"runFunction", Vendor::mtia},
                                      {"acl", Vendor::ascend}}};
// Of settings the beginnings of their keys.
constexpr std::array<Sign, 3> kSettings{
    {{"hip_", Vendor::amd}, {"roctracer", Vendor::amd}, {"cuda_driver", Vendor::nvidia}}};
// Of recorders of one vendor's devices.
constexpr std::array<Sign, 3> kRecorders{
    {{"Ascend", Vendor::ascend}, {"unitrace", Vendor::intel}, {"rocprof", Vendor::amd}}};
// Of names of devices, anywhere.
constexpr std::array<Sign, 11> kDevices{{{"NVIDIA", Vendor::nvidia},
                                         {"Tesla", Vendor::nvidia},
                                         {"GeForce", Vendor::nvidia},
                                         {"Quadro", Vendor::nvidia},
                                         {"TITAN", Vendor::nvidia},
                                         {"AMD", Vendor::amd},
                                         {"Radeon", Vendor::amd},
                                         {"Instinct", Vendor::amd},
                                         {"Intel", Vendor::intel},
                                         {"Ascend", Vendor::ascend},
                                         {"ARTEMIS", Vendor::mtia}}};

template <size_t N, class Is>
Vendor first_sign(const std::array<Sign, N>& signs, Is is) {
  const auto found =
      std::find_if(signs.begin(), signs.end(), [&](const Sign& each) { return is(each.text); });
  return found == signs.end() ? Vendor::other : found->vendor;
}

Vendor by_settings(const trace::Trace& trace) {
  return first_sign(kSettings, [&](std::string_view begin) {
    return std::any_of(trace.settings.begin(), trace.settings.end(),
                       [&](const auto& each) { return each.first.starts_with(begin); });
  });
}

Vendor by_recorder(const trace::Trace& trace) {
  return first_sign(kRecorders,
                    [&](std::string_view begin) { return trace.read.profiler.starts_with(begin); });
}

Vendor by_devices(const trace::Trace& trace) {
  for (const trace::DeviceInfo& device : trace.devices) {
    const Vendor vendor = first_sign(
        kDevices, [&](std::string_view word) { return contains_text(device.name, word); });
    if (vendor != Vendor::other) return vendor;
  }
  return Vendor::other;
}

Vendor by_calls(const trace::Trace& trace) {
  const auto& rows = trace.activities;
  std::vector<bool> tried(trace.names.size());
  for (size_t row = 0; row < rows.size(); ++row) {
    if (rows.kind[row] != trace::ActivityKind::runtime || tried[rows.name[row]]) continue;
    tried[rows.name[row]] = true;
    const Vendor vendor = first_sign(
        kCalls, [&](std::string_view begin) { return trace.name_of(row).starts_with(begin); });
    if (vendor != Vendor::other) return vendor;
  }
  return Vendor::other;
}

// Of a device of which nothing else is known a compute capability is CUDA's.
Vendor by_capability(const trace::Trace& trace) {
  const bool has_one = std::any_of(trace.devices.begin(), trace.devices.end(),
                                   [](const auto& each) { return each.compute_major > 0; });
  return has_one ? Vendor::nvidia : Vendor::other;
}

}  // namespace

const VendorWords& vendor_of(const trace::Trace& trace) {
  Vendor vendor = Vendor::other;
  for (const auto& sign : {by_settings, by_recorder, by_devices, by_calls, by_capability}) {
    if (vendor == Vendor::other) vendor = sign(trace);
  }
  return *std::find_if(kVendors.begin(), kVendors.end(),
                       [&](const VendorWords& each) { return each.vendor == vendor; });
}

// NVIDIA: fp16 from 7.0 (Volta), bf16 and TF32 from 8.0 (Ampere). AMD's numbers are gfx9 (CDNA),
// gfx10 and on (RDNA), of which the latter have bf16 from 11 on.
PrecisionUnits precision_units(const trace::DeviceInfo* device, Vendor vendor) {
  if (device == nullptr) return {};
  const int major = device->compute_major;
  if (vendor == Vendor::nvidia) return {major >= 7, major >= 8, major >= 8};
  if (vendor == Vendor::amd) return {major >= 9, major == 9 || major >= 11, false};
  if (vendor == Vendor::intel) return {true, true, false};
  return {};
}

}  // namespace batchscope::advice
