#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
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
  // Small, because a thousand moments of every GPU are kept. Texts are places in texts_.
  struct Signal {
    SignalKind kind{};
    uint16_t gpu = 0, reason = 0;
    double value = 0;
  };
  struct Moment {
    int64_t time_ns = 0;
    std::vector<Signal> signals;
  };
  // Of one side of a change.
  struct Side {
    std::map<std::pair<SignalKind, uint16_t>, std::vector<double>> values;
    std::map<uint16_t, uint16_t> reasons;  // by GPU, the first
    void take(const Moment& moment);
  };

  void take_gpu(const telemetry::GpuReading& gpu, std::vector<Signal>& signals);
  uint16_t place_of(const std::string& text);

  std::deque<Moment> moments_;
  // Names of GPUs and of reasons: as many as a driver has. The first is empty.
  std::vector<std::string> texts_{""};
};

}  // namespace batchscope::training
