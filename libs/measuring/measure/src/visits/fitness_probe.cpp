#include "batchscope/measure/fitness_probe.hpp"

#include <chrono>

#include "batchscope/host/fitness.hpp"

namespace batchscope::measure {
namespace {

class SystemFitnessProbe final : public FitnessProbe {
 public:
  SystemFitnessProbe(const base::SystemRoot& root, const gpu::Gpus* gpus)
      : sampler_(root), gpus_(gpus) {}

  void start() override {
    gpu_.reset();
    started_ = Clock::now();
    before_ = sampler_.take();
  }

  void under_load(std::string_view device, int processes) override {
    if (gpus_ == nullptr || !gpus_->available()) return;
    const auto index = gpu::gpu_index(*gpus_, device);
    if (index) gpu_.emplace(Gpu{gpus_->read(*index), processes});
  }

  schema::Fitness finish(int64_t living_cpu_ns) override {
    host::FitnessSnapshot after = sampler_.take();
    after.own_ns += living_cpu_ns;
    auto fitness = host::assess_fitness(before_, after, Clock::now() - started_);
    if (gpu_) host::add_gpu_fitness(fitness, gpu_->reading, gpu_->own_processes);
    return fitness;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Gpu {
    gpu::Gpu reading;
    int own_processes = 1;
  };

  host::FitnessSampler sampler_;
  const gpu::Gpus* gpus_;
  host::FitnessSnapshot before_;
  Clock::time_point started_;
  std::optional<Gpu> gpu_;
};

}  // namespace

std::unique_ptr<FitnessProbe> make_system_fitness_probe(const base::SystemRoot& root,
                                                        const gpu::Gpus* gpus) {
  return std::make_unique<SystemFitnessProbe>(root, gpus);
}

}  // namespace batchscope::measure
