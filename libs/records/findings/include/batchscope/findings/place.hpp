#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace batchscope::schema {
struct RunConfig;
}

namespace batchscope::findings {

// A configuration of a run, which never changes. By a pointer, because most of those who pass
// findings on know of no configurations: they need not be compiled again for a field of one.
class ConfigPlace {
 public:
  ConfigPlace(const schema::RunConfig& config);  // so that one can be assigned to a place
  const schema::RunConfig& config() const { return *config_; }
  bool operator==(const ConfigPlace& other) const;

 private:
  std::shared_ptr<const schema::RunConfig> config_;
};

// A step of one process of a trace.
struct TraceStep {
  int rank = 0;  // of the process among those that train together; 0 where there is one
  int64_t step = 0;
  bool operator==(const TraceStep&) const = default;
};

using Milliseconds = std::chrono::sys_time<std::chrono::milliseconds>;

// A GPU at a time, or one slice of a divided one (MIG).
struct GpuMoment {
  int gpu = 0;  // its index, as NVML and nvidia-smi count
  Milliseconds time{};
  std::optional<int> slice{};
  bool operator==(const GpuMoment&) const = default;
};

// A process at a time.
struct ProcessMoment {
  int64_t pid = 0;
  std::string name{};  // of the program; untrusted
  Milliseconds time{};
  bool operator==(const ProcessMoment&) const = default;
};

// The machine as a whole at a time.
struct MachineMoment {
  Milliseconds time{};
  bool operator==(const MachineMoment&) const = default;
};

// What a finding is about: nothing in particular, a configuration of a run, or where in a trace or
// in what a monitor saw. In JSON: {}, the configuration as in a run file, {"rank": 3, "step": 120},
// {"gpu": 0, "slice": 1, "time": "2026-10-01T12:00:00.250Z"} (`slice` of a divided GPU alone),
// {"pid": 4711, "process": "python3", "time": ...}, or {"time": ...}, the machine.
using Place =
    std::variant<std::monostate, ConfigPlace, TraceStep, GpuMoment, ProcessMoment, MachineMoment>;

// The configuration, or nullptr where the place is none. It lives as long as the place.
const schema::RunConfig* config_of(const Place& place);

// For a reader: the configuration as schema::describe says it, "rank 3, step 120",
// "GPU 0 at 2026-10-01T12:00:00.250Z", "GPU 0, slice 1 at ...", "process 4711 (python3) at ...",
// "the machine at ..."; empty for nothing in particular.
std::string in_words(const Place& place);
// The same without the time.
std::string subject_in_words(const Place& place);

}  // namespace batchscope::findings
