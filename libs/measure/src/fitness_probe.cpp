#include "batchscope/measure/fitness_probe.hpp"

#include <charconv>
#include <chrono>
#include <cstdlib>

#include "batchscope/base/strings.hpp"
#include "batchscope/device/fitness.hpp"

namespace batchscope::measure {
namespace {

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The N of "cuda:N" as NVML counts, which sees all GPUs even where CUDA_VISIBLE_DEVICES hides some.
// Nothing for other devices, and where GPUs are hidden by name.
std::optional<int> gpu_index(std::string_view device, const char* visible) {
  constexpr std::string_view kPrefix = "cuda";
  if (!device.starts_with(kPrefix)) return std::nullopt;
  device.remove_prefix(kPrefix.size());
  const auto index = device.empty() ? std::optional(0) : number(device.substr(1));
  if (!index || visible == nullptr) return index;
  const auto names = base::split(visible, ',');
  const auto place = static_cast<std::size_t>(*index);
  return place < names.size() ? number(base::trim(names[place])) : std::nullopt;
}

class SystemFitnessProbe final : public FitnessProbe {
 public:
  SystemFitnessProbe(const base::SystemRoot& root, const device::GpuMonitor* gpus)
      : sampler_(root), gpus_(gpus) {}

  void start() override {
    gpu_.reset();
    started_ = Clock::now();
    before_ = sampler_.take();
  }

  void under_load(std::string_view device) override {
    const auto index = gpu_index(device, std::getenv("CUDA_VISIBLE_DEVICES"));
    if (!index || gpus_ == nullptr || !gpus_->available()) return;
    gpu_.emplace(Gpu{gpus_->info(*index), gpus_->sample(*index)});
  }

  schema::Fitness finish(int64_t living_cpu_ns) override {
    device::FitnessSnapshot after = sampler_.take();
    after.own_ns += living_cpu_ns;
    auto report = device::assess_fitness(before_, after, Clock::now() - started_);
    if (gpu_) device::add_gpu_fitness(report, gpu_->info, gpu_->sample, 1);
    return report.fitness;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Gpu {
    device::GpuInfo info;
    device::GpuSample sample;
  };

  device::FitnessSampler sampler_;
  const device::GpuMonitor* gpus_;
  device::FitnessSnapshot before_;
  Clock::time_point started_;
  std::optional<Gpu> gpu_;
};

}  // namespace

std::unique_ptr<FitnessProbe> make_system_fitness_probe(const base::SystemRoot& root,
                                                        const device::GpuMonitor* gpus) {
  return std::make_unique<SystemFitnessProbe>(root, gpus);
}

}  // namespace batchscope::measure
