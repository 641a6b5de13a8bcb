#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "batchscope/base/system_root.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "batchscope/schema/visit.hpp"

namespace batchscope::measure {

// Watches the machine over one visit. Virtual time has none.
class FitnessProbe {
 public:
  virtual ~FitnessProbe() = default;
  virtual void start() = 0;
  // The device is under load right now, or was a moment ago: the end of the timed iterations.
  // `processes`: of this visit that use it.
  virtual void under_load(std::string_view device, int processes) = 0;
  // Of the time since start(). `living_cpu_ns`: CPU time since start() of a worker that was not
  // waited for yet, which is no load from others.
  virtual schema::Fitness finish(int64_t living_cpu_ns) = 0;
};

// CPU steal, load of others and throttling, read from /proc and the cgroup files; on "cuda:N" also
// the clock and the other processes of GPU N, from `gpus` (may be null; outlives the probe).
std::unique_ptr<FitnessProbe> make_system_fitness_probe(const base::SystemRoot& root,
                                                        const gpu::Gpus* gpus = nullptr);

}  // namespace batchscope::measure
