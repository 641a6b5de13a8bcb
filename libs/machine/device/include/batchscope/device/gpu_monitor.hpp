#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/nvml/throttle_reasons.hpp"

namespace batchscope::device {

// What does not change while a GPU is there.
struct GpuInfo {
  int index = 0;                        // NVML's order, by PCI bus
  std::optional<std::string> name;      // "NVIDIA H200"
  std::optional<std::string> uuid;      // "GPU-..."
  std::optional<int64_t> memory_bytes;  // total; absent where it is divided
  // Divided into slices with memory and processors of their own (MIG): what there is to tell of the
  // whole says nothing of one of them.
  bool divided = false;
  std::optional<int> compute_capability{};  // its major number: 8 of "8.6"
  std::optional<int64_t> max_sm_clock_mhz{};
  std::optional<int64_t> default_sm_clock_mhz{};  // the default application clock
};

using ThrottleReason = nvml::ThrottleReason;

// One reading. A value the GPU does not support is absent, never 0.
struct GpuSample {
  std::optional<int64_t> memory_used_bytes;
  std::optional<int64_t> sm_clock_mhz;
  std::optional<int64_t> temperature_celsius;
  std::optional<double> power_watts;
  std::optional<bool> idle;  // the GPU lowered its clock because it has no work
  std::optional<std::vector<ThrottleReason>> throttle_reasons;
  std::optional<int64_t> compute_processes;  // on the GPU, this one included
};

// What is known about the NVIDIA GPUs. Calls may take milliseconds: never inside timed work.
class GpuMonitor {
 public:
  virtual ~GpuMonitor() = default;
  virtual bool available() const = 0;
  // Why there is nothing to see, and how to get it; empty when available.
  virtual std::string why_absent() const = 0;
  virtual std::string how_to_get() const = 0;
  virtual std::optional<std::string> driver_version() const = 0;
  virtual int count() const = 0;
  // `index` in 0 .. count()-1; out of range gives empty values.
  virtual GpuInfo info(int index) const = 0;
  virtual GpuSample sample(int index) const = 0;
};

// NVML (libnvidia-ml), loaded at run time; a monitor that sees nothing and says why when the
// library or the driver is absent. `library` is a name for dlopen or a path.
std::unique_ptr<GpuMonitor> open_gpu_monitor(const std::string& library = "libnvidia-ml.so.1");
// A monitor of no GPUs.
std::unique_ptr<GpuMonitor> absent_gpu_monitor(std::string why, std::string how_to_get);

// The GPU that a process calls "cuda:N", as NVML counts, which sees all of them: `visible` is what
// CUDA_VISIBLE_DEVICES holds, null where it is not set. Where nothing hides one they are taken to
// count alike. Nothing for other devices, for one that is hidden, and for a slice (MIG).
std::optional<int> gpu_index(const GpuMonitor& monitor, std::string_view device,
                             const char* visible = std::getenv("CUDA_VISIBLE_DEVICES"));

// Names of all GPUs, for a run file's header.
std::vector<std::string> gpu_names(const GpuMonitor& monitor);

}  // namespace batchscope::device
