#pragma once

#include <optional>
#include <string_view>

namespace batchscope::schema {

// What the name of a device tells of it, as a user states it and RunConfig::device keeps it: a
// type, and behind a colon the number of one among several ("cpu", "cuda:1", "xpu:0", "gpu"), in
// letters of either case. Of an empty name, which does not state the device, nothing holds.

bool is_cpu(std::string_view device);

// Whatever is stated and is not the CPU: it has work issued to it, and mostly memory of its own.
bool is_accelerator(std::string_view device);

// Of type "cuda": an NVIDIA GPU, or one of AMD's under ROCm, which PyTorch calls so too. What needs
// NVIDIA's driver (NVML) still has to do without where that is absent.
bool is_cuda(std::string_view device);

// The 1 of "cuda:1", as the process counts that uses the device; nothing without a number.
std::optional<int> device_index(std::string_view device);

}  // namespace batchscope::schema
