// What the GPUs of a machine say, as a log's lines, once a second:
//   nvml_readings [seconds [library]]
#include <chrono>
#include <cstdio>
#include <thread>

#include "batchscope/gpu/gpu_sampler.hpp"
#include "batchscope/telemetry/log_line.hpp"

int main(int count, char** arguments) {
  using namespace batchscope;
  gpu::GpuSamplerOptions options;
  const int seconds = count > 1 ? std::atoi(arguments[1]) : 1;
  if (count > 2) options.library = arguments[2];
  gpu::GpuSampler sampler(options);
  sampler.start();
  for (int second = 0; second < seconds; ++second) {
    telemetry::Sample sample;
    sample.time_ns = options.clock->now_ns();
    sample.gpus = sampler.latest();
    sample.gpu_absent = sampler.absent();
    std::puts(telemetry::to_line(sample).c_str());
    std::fflush(stdout);
    if (second + 1 < seconds) std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}
