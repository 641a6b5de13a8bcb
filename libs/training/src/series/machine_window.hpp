#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/telemetry/sample.hpp"

namespace batchscope::training {

// What of a machine may make steps slower.
enum class SignalKind {
  sm_clock,
  throttled,  // the clock is held down: 0 or 1
  temperature,
  power,
  gpu_memory,
  other_cpu,  // share of the CPUs that others than the watched processes use
  io_pressure,
  memory_pressure,
  cpu_steal,
  cpu_quota  // share of the quota's periods in which work was stopped
};

struct SignalChange {
  SignalKind kind{};
  std::string gpu;  // as the driver counts; empty: the machine
  double before = 0, after = 0;
  std::string reason;  // why a clock is held down
};

// The last samples of the machine, and what of them changed at a time.
class MachineWindow {
 public:
  void add(const telemetry::Sample& sample);

  // What is different after `last_ns` from before `first_ns`, the most telling first: medians of up
  // to 30 samples a side, at least two.
  std::vector<SignalChange> changes(int64_t first_ns, int64_t last_ns) const;

 private:
  using Key = std::pair<SignalKind, std::string>;
  struct Moment {
    int64_t time_ns = 0;
    std::map<Key, double> signals;
    std::map<std::string, std::string> reasons;  // by GPU
  };

  std::deque<Moment> moments_;
};

}  // namespace batchscope::training
