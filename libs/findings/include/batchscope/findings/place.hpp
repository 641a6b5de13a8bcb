#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>

#include "batchscope/schema/run_config.hpp"

namespace batchscope::findings {

// A step of one process of a trace.
struct TraceStep {
  int rank = 0;  // of the process among those that train together; 0 where there is one
  int64_t step = 0;
  bool operator==(const TraceStep&) const = default;
};

// A GPU at a time.
struct GpuMoment {
  int gpu = 0;  // its index, as NVML and nvidia-smi count
  std::chrono::sys_time<std::chrono::milliseconds> time{};
  bool operator==(const GpuMoment&) const = default;
};

// What a finding is about: nothing in particular, a configuration of a run, or where in a trace or
// in what a monitor saw. In JSON: {}, the configuration as in a run file, {"rank": 3, "step": 120},
// or {"gpu": 0, "time": "2026-10-01T12:00:00.250Z"}.
using Place = std::variant<std::monostate, schema::RunConfig, TraceStep, GpuMoment>;

// The configuration, or nullptr where the place is none. It lives as long as the place.
const schema::RunConfig* config_of(const Place& place);

// For a reader: the configuration as schema::describe says it, "rank 3, step 120",
// "GPU 0 at 2026-10-01T12:00:00.250Z"; empty for nothing in particular.
std::string in_words(const Place& place);

}  // namespace batchscope::findings
