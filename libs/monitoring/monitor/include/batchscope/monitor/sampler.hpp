#pragma once

#include <memory>
#include <optional>
#include <string>

#include "batchscope/base/system_root.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/base/waitable_clock.hpp"
#include "batchscope/telemetry/sample.hpp"

namespace batchscope::monitor {

// Where samples come from.
class Sampler {
 public:
  virtual ~Sampler() = default;
  // What is known now; never waits for a driver. Means run from the call before.
  virtual telemetry::Sample take() = 0;
};

struct SamplerOptions {
  base::SystemRoot root{};
  std::string nvml_library = "libnvidia-ml.so.1";       // a name for dlopen, or a path
  base::Nanoseconds interval{std::chrono::seconds{1}};  // between readings of the GPUs
  std::optional<int> pid{};                             // whose processes are watched
};

// This machine: its GPUs, its processors, memory, disks and networks, and a tree of processes.
std::unique_ptr<Sampler> open_sampler(const SamplerOptions& options,
                                      std::shared_ptr<base::WaitableClock> clock);

}  // namespace batchscope::monitor
