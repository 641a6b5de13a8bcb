#include "batchscope/measure/fitness_probe.hpp"

#include <chrono>

#include "batchscope/device/fitness.hpp"

namespace batchscope::measure {
namespace {

class SystemFitnessProbe final : public FitnessProbe {
 public:
  SystemFitnessProbe(const base::SystemRoot& root, const device::GpuMonitor* gpus)
      : sampler_(root), gpus_(gpus) {}

  void start() override {
    gpu_.reset();
    started_ = Clock::now();
    before_ = sampler_.take();
  }

  void under_load(std::string_view device, int processes) override {
    if (gpus_ == nullptr || !gpus_->available()) return;
    const auto index = device::gpu_index(*gpus_, device);
    if (index) gpu_.emplace(Gpu{gpus_->info(*index), gpus_->sample(*index), processes});
  }

  schema::Fitness finish(int64_t living_cpu_ns) override {
    device::FitnessSnapshot after = sampler_.take();
    after.own_ns += living_cpu_ns;
    auto fitness = device::assess_fitness(before_, after, Clock::now() - started_);
    if (gpu_) device::add_gpu_fitness(fitness, gpu_->info, gpu_->sample, gpu_->own_processes);
    return fitness;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Gpu {
    device::GpuInfo info;
    device::GpuSample sample;
    int own_processes = 1;
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
