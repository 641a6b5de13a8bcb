#include "batchscope/measure/fitness_probe.hpp"

#include <charconv>
#include <chrono>

#include "batchscope/device/fitness.hpp"

namespace batchscope::measure {
namespace {

// The N of "cuda:N"; nothing for other devices.
std::optional<int> gpu_index(std::string_view device) {
  constexpr std::string_view kPrefix = "cuda";
  if (device.substr(0, kPrefix.size()) != kPrefix) return std::nullopt;
  device.remove_prefix(kPrefix.size());
  int index = 0;
  if (!device.empty() && device.front() == ':') {
    std::from_chars(device.data() + 1, device.data() + device.size(), index);
  }
  return index;
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
    const auto index = gpu_index(device);
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
