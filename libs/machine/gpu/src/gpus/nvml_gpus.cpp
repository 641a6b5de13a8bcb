#include <array>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "answer_within.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "driver/library.hpp"
#include "reading/metric_queries.hpp"
#include "reading/slices.hpp"
#include "reading/throttle_time.hpp"

namespace batchscope::gpu {
namespace {

using SharedLibrary = std::shared_ptr<const nvml::Library>;

std::optional<std::string> unless_empty(std::string text) {
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

// Asking with room for none answers how many there are, so the list's layout, which differs between
// versions, does not matter.
std::optional<int64_t> count_processes(const nvml::Library& library, nvml::Device device) {
  unsigned count = 0;
  const nvml::Status status = nvml::call(library.count_processes, device, &count, nullptr);
  if (status == nvml::kSuccess) return 0;
  if (status == nvml::kInsufficientSize) return count;
  return std::nullopt;
}

// What a monitor does not ask for.
void ask_for_runs(const nvml::Library& library, nvml::Device device, Gpu& gpu) {
  int major = 0, minor = 0;
  if (nvml::call(library.compute_capability, device, &major, &minor) == nvml::kSuccess) {
    gpu.compute_capability = major;
  }
  ask_hertz(library.clock, device, nvml::kClockSm, gpu.sm_clock_hertz);
  ask_hertz(library.default_clock, device, nvml::kClockSm, gpu.usual_sm_clock_hertz);
  unsigned long long reasons = 0;
  if (nvml::call(library.throttle_reasons, device, &reasons) == nvml::kSuccess) {
    gpu.slowdowns = slowdowns(reasons);
  }
}

Gpu ask(const SharedLibrary& library, int index) {
  Gpu gpu;
  gpu.index = index;
  nvml::Device device = nullptr;
  // A lost GPU keeps its index: the others go on under theirs.
  if (library->device_handle(static_cast<unsigned>(index), &device) != nvml::kSuccess) return gpu;
  telemetry::GpuReading reading;
  Progress progress;
  gpu.divided = Slices(library, device).exist(progress);
  MetricQueries(identity_questions(), MetricQueries::Repeat::always)
      .ask(*library, device, reading, progress);
  MetricQueries(lasting_questions(), MetricQueries::Repeat::always)
      .ask(*library, device, reading, progress);
  gpu.name = unless_empty(reading.name);
  gpu.uuid = unless_empty(reading.uuid);
  ask_for_runs(*library, device, gpu);
  if (!gpu.usual_sm_clock_hertz) gpu.usual_sm_clock_hertz = reading.max_sm_clock_hertz;
  if (gpu.divided) return gpu;
  ask_memory(*library, device, reading);
  gpu.memory_total_bytes = reading.memory_total_bytes;
  gpu.memory_used_bytes = reading.memory_used_bytes;
  gpu.compute_processes = count_processes(*library, device);
  return gpu;
}

class NvmlGpus final : public Gpus {
 public:
  struct Found {
    SharedLibrary library;
    int count = 0;
    std::optional<std::string> driver_version;
  };

  NvmlGpus(Found found, std::chrono::nanoseconds deadline)
      : found_(std::move(found)), deadline_(deadline) {}

  bool available() const override { return true; }
  std::string why_absent() const override { return {}; }
  std::string how_to_get() const override { return {}; }
  int count() const override { return found_.count; }
  std::optional<std::string> driver_version() const override { return found_.driver_version; }

  Gpu read(int index) const override {
    Gpu silent;
    silent.index = index;
    if (index < 0 || index >= count()) return silent;
    const std::lock_guard lock(mutex_);
    if (hanging_.contains(index)) return silent;
    auto answer =
        answer_within(deadline_, [library = found_.library, index] { return ask(library, index); });
    if (!answer) hanging_.insert(index);
    return answer.value_or(silent);
  }

 private:
  Found found_;
  std::chrono::nanoseconds deadline_;
  mutable std::mutex mutex_;
  mutable std::set<int> hanging_;
};

base::Result<NvmlGpus::Found> load(const std::string& name) {
  auto loaded = nvml::Library::load(name);
  if (!loaded) return std::move(loaded).error();
  NvmlGpus::Found found{std::move(*loaded), 0, std::nullopt};
  unsigned count = 0;
  if (found.library->device_count(&count) == nvml::kSuccess) found.count = static_cast<int>(count);
  std::array<char, nvml::kVersionCapacity> text{};
  if (nvml::call(found.library->driver_version, text.data(), nvml::kVersionCapacity) ==
      nvml::kSuccess) {
    text.back() = '\0';
    found.driver_version = text.data();
  }
  return found;
}

}  // namespace

std::unique_ptr<Gpus> open_gpus(const std::string& library, std::chrono::nanoseconds deadline) {
  auto found = answer_within(deadline, [library] { return load(library); });
  if (!found) {
    return absent_gpus("the NVIDIA driver does not answer",
                       "run nvidia-smi; if it hangs too, reboot");
  }
  if (!*found) return absent_gpus(found->error().what, found->error().fix);
  return std::make_unique<NvmlGpus>(std::move(**found), deadline);
}

}  // namespace batchscope::gpu
