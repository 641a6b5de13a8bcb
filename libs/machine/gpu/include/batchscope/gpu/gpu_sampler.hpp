#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "batchscope/base/waitable_clock.hpp"
#include "batchscope/telemetry/sample.hpp"

namespace batchscope::gpu {

struct GpuSamplerOptions {
  std::string library = "libnvidia-ml.so.1";  // a name for dlopen, or a path
  std::chrono::nanoseconds interval = std::chrono::seconds(1);
  // A GPU that has not answered for so long is down.
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);
  // After so long a driver that is absent, or that was removed, is looked for again.
  std::chrono::nanoseconds look_again = std::chrono::seconds(30);
  // The destructor waits so long, in real time, for readings under way.
  std::chrono::nanoseconds last_wait = std::chrono::seconds(1);
  std::shared_ptr<base::WaitableClock> clock = base::steady_epoch_clock();
};

// Reads all NVIDIA GPUs, and the slices of divided ones (MIG), again and again: each GPU in a
// thread of its own, because a call into the driver takes tens of milliseconds, and may never
// return. Such a thread is left behind, also when this object goes.
class GpuSampler {
 public:
  explicit GpuSampler(GpuSamplerOptions options = {});
  ~GpuSampler();
  GpuSampler(const GpuSampler&) = delete;
  GpuSampler& operator=(const GpuSampler&) = delete;

  // Returns when every GPU has answered once, or failed to, or there is none; at the latest after
  // the deadline. To be called once.
  void start();

  // The last reading of each, in their order, a slice behind its GPU. Never waits for the driver.
  // A GPU that was seen and has gone stays, as one that is down. One that is down has neither
  // values nor reasons but `why_down`; its XIDs are still there, and `read_ns` is of the last time
  // that it answered. A divided GPU has nothing of what its slices have: memory and processes.
  std::vector<telemetry::GpuReading> latest() const;

  // Why there is no GPU to see, and what mends it; empty where some can be seen.
  std::string absent() const;

 private:
  class Threads;
  std::shared_ptr<Threads> threads_;
};

}  // namespace batchscope::gpu
