#include "batchscope/monitor/sampler.hpp"

#include <map>
#include <utility>

#include "batchscope/gpu/gpu_sampler.hpp"
#include "batchscope/host/host_sampler.hpp"
#include "batchscope/host/process_sampler.hpp"

namespace batchscope::monitor {
namespace {

class MachineSampler : public Sampler {
 public:
  MachineSampler(const SamplerOptions& options, std::shared_ptr<base::WaitableClock> clock)
      : clock_(std::move(clock)), gpus_(gpu_options(options, clock_)), host_(options.root) {
    if (options.pid) processes_.emplace(options.root, *options.pid);
    gpus_.start();
  }

  telemetry::Sample take() override {
    telemetry::Sample sample;
    sample.time_ns = clock_->now_ns();
    sample.gpus = gpus_.latest();
    if (sample.gpus.empty()) sample.gpu_absent = gpus_.absent();
    sample.host = host_.take(sample.time_ns);
    if (processes_) sample.processes = processes_->take(sample.time_ns);
    put_gpu_memory(sample);
    return sample;
  }

 private:
  static gpu::GpuSamplerOptions gpu_options(const SamplerOptions& options,
                                            const std::shared_ptr<base::WaitableClock>& clock) {
    gpu::GpuSamplerOptions of;
    of.library = options.nvml_library;
    of.interval = options.interval;
    of.clock = clock;
    return of;
  }

  static void put_gpu_memory(telemetry::Sample& sample) {
    std::map<int64_t, int64_t> held;
    for (const auto& gpu : sample.gpus) {
      for (const auto& process : gpu.processes) {
        held[process.pid] += process.memory_used_bytes.value_or(0);
      }
    }
    for (auto& process : sample.processes) {
      const auto found = held.find(process.pid);
      if (found != held.end()) process.gpu_memory_bytes = found->second;
    }
  }

  std::shared_ptr<base::WaitableClock> clock_;
  gpu::GpuSampler gpus_;
  host::HostSampler host_;
  std::optional<host::ProcessSampler> processes_;
};

}  // namespace

std::unique_ptr<Sampler> open_sampler(const SamplerOptions& options,
                                      std::shared_ptr<base::WaitableClock> clock) {
  return std::make_unique<MachineSampler>(options, std::move(clock));
}

}  // namespace batchscope::monitor
