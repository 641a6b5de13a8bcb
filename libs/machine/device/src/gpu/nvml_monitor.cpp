#include <array>
#include <string>
#include <utility>

#include "batchscope/device/gpu_monitor.hpp"
#include "batchscope/nvml/library.hpp"
#include "batchscope/nvml/throttle_reasons.hpp"

namespace batchscope::device {
namespace {

// Each asks one function that may be missing, or may refuse; both make the value absent.

template <std::size_t kCapacity, class Fill>
std::optional<std::string> filled_text(const Fill& fill) {
  std::array<char, kCapacity> text{};
  if (fill(text.data()) != nvml::kSuccess) return std::nullopt;
  text.back() = '\0';
  return std::string(text.data());
}

std::optional<std::string> ask_text(nvml::DeviceTextCall call, nvml::Device device) {
  if (call == nullptr) return std::nullopt;
  return filled_text<nvml::kNameCapacity>(
      [&](char* text) { return call(device, text, nvml::kNameCapacity); });
}

std::optional<int64_t> ask_number(nvml::DeviceKindNumberCall call, nvml::Device device,
                                  unsigned kind) {
  unsigned value = 0;
  if (call == nullptr || call(device, kind, &value) != nvml::kSuccess) return std::nullopt;
  return value;
}

std::optional<double> ask_watts(nvml::DeviceNumberCall call, nvml::Device device) {
  unsigned milliwatts = 0;
  if (call == nullptr || call(device, &milliwatts) != nvml::kSuccess) return std::nullopt;
  return milliwatts / 1000.0;
}

std::optional<nvml::Memory> ask_memory(nvml::DeviceMemoryCall call, nvml::Device device) {
  nvml::Memory memory{};
  if (call == nullptr || call(device, &memory) != nvml::kSuccess) return std::nullopt;
  return memory;
}

std::optional<int> ask_capability(nvml::DeviceTwoNumbersCall call, nvml::Device device) {
  int major = 0, minor = 0;
  if (call == nullptr || call(device, &major, &minor) != nvml::kSuccess) return std::nullopt;
  return major;
}

// Asking with room for none answers how many there are, so the list's layout, which differs between
// versions, does not matter.
std::optional<int64_t> ask_processes(nvml::DeviceProcessesCall call, nvml::Device device) {
  unsigned count = 0;
  if (call == nullptr) return std::nullopt;
  const nvml::Status status = call(device, &count, nullptr);
  if (status == nvml::kSuccess) return 0;
  if (status == nvml::kInsufficientSize) return count;
  return std::nullopt;
}

bool ask_divided(nvml::DevicePairCall call, nvml::Device device) {
  unsigned current = 0, pending = 0;
  return call != nullptr && call(device, &current, &pending) == nvml::kSuccess && current != 0;
}

class NvmlMonitor : public GpuMonitor {
 public:
  explicit NvmlMonitor(std::unique_ptr<nvml::Library> library) : library_(std::move(library)) {
    unsigned count = 0;
    if (library_->device_count(&count) != nvml::kSuccess) return;
    for (unsigned index = 0; index < count; ++index) {
      nvml::Device device = nullptr;
      // A lost GPU keeps its index: the others go on under theirs.
      if (library_->device_handle(index, &device) != nvml::kSuccess) device = nullptr;
      devices_.push_back(device);
    }
  }

  bool available() const override { return true; }
  std::string why_absent() const override { return {}; }
  std::string how_to_get() const override { return {}; }
  int count() const override { return static_cast<int>(devices_.size()); }

  std::optional<std::string> driver_version() const override {
    if (library_->driver_version == nullptr) return std::nullopt;
    return filled_text<nvml::kVersionCapacity>(
        [&](char* text) { return library_->driver_version(text, nvml::kVersionCapacity); });
  }

  GpuInfo info(int index) const override {
    GpuInfo info;
    info.index = index;
    const nvml::Device device = at(index);
    if (device == nullptr) return info;
    info.name = ask_text(library_->name, device);
    info.uuid = ask_text(library_->uuid, device);
    info.divided = ask_divided(library_->mig_mode, device);
    const auto memory = ask_memory(library_->memory, device);
    if (memory && !info.divided) info.memory_bytes = static_cast<int64_t>(memory->total);
    info.compute_capability = ask_capability(library_->compute_capability, device);
    info.max_sm_clock_mhz = ask_number(library_->max_clock, device, nvml::kClockSm);
    info.default_sm_clock_mhz = ask_number(library_->default_clock, device, nvml::kClockSm);
    return info;
  }

  GpuSample sample(int index) const override {
    GpuSample sample;
    const nvml::Device device = at(index);
    if (device == nullptr) return sample;
    // Of a divided GPU both are those of all slices.
    if (!ask_divided(library_->mig_mode, device)) {
      const auto memory = ask_memory(library_->memory, device);
      if (memory) sample.memory_used_bytes = static_cast<int64_t>(memory->used);
      sample.compute_processes = ask_processes(library_->count_processes, device);
    }
    sample.sm_clock_mhz = ask_number(library_->clock, device, nvml::kClockSm);
    sample.temperature_celsius = ask_number(library_->temperature, device, nvml::kTemperatureGpu);
    sample.power_watts = ask_watts(library_->power, device);
    unsigned long long bits = 0;
    const auto reasons = library_->throttle_reasons;
    if (reasons != nullptr && reasons(device, &bits) == nvml::kSuccess) {
      sample.idle = (bits & nvml::kReasonIdle) != 0;
      sample.throttle_reasons = nvml::decode_throttle_reasons(bits);
    }
    return sample;
  }

 private:
  nvml::Device at(int index) const {
    if (index < 0 || index >= count()) return nullptr;
    return devices_[static_cast<size_t>(index)];
  }

  std::unique_ptr<nvml::Library> library_;
  std::vector<nvml::Device> devices_;  // null where the GPU does not answer
};

}  // namespace

std::unique_ptr<GpuMonitor> open_gpu_monitor(const std::string& library) {
  auto loaded = nvml::Library::load(library);
  if (!loaded) return absent_gpu_monitor(loaded.error().what, loaded.error().fix);
  return std::make_unique<NvmlMonitor>(std::move(*loaded));
}

}  // namespace batchscope::device
