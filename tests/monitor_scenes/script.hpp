#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

// What a scene is made of: a machine, the work on it, and what changes with time. Shares run from 0
// to 1.
namespace batchscope::monitor_scenes {

// What there is, and what of it can be seen.
struct Machine {
  int gpus = 1;
  int cpus = 32;
  double seconds = 300;
  double interval = 1;
  bool has_gpm = true;
  bool has_pressure = true;
  bool has_delays = true;  // delay accounting of processes
  bool has_cores = true;   // a value for each CPU
  bool is_watched = true;  // processes
  bool tells_steps = true;
  bool tells_loading = false;
  double lost = 0;   // share of readings that fail, and as many that come twice
  double noise = 1;  // times the usual
  double memory_bytes = 80e9;
  double host_bytes = 256e9;
};

// A loop on all GPUs together: steps that compute, and wait at the end of every `burst`-th.
struct Work {
  bool present = true;
  bool trains = true;       // else nobody can tell of steps
  double step = 0.3;        // seconds of computing
  double busy = 0.96;       // of the time, over long
  double unevenness = 0.2;  // of waits: standard deviation of their logarithm
  int burst = 1;
  double loading = 0.01;  // of the wait, what the loop says of loading; of a step's wait
  // While it computes.
  double sm = 0.75, tensor = 0.3, dram = 0.4, memory_busy = 0.4, power = 0.75, clock = 0.93;
  double temperature = 65;
  double memory = 0.85, memory_wobble = 0.002;
  int64_t batch = 64;
  double main_thread = 0.6;
  int workers = 4;  // a GPU
  double worker_cpu = 0.3, worker_wait = 0.02;
};

struct Host {
  double background = 0.02;  // of all CPUs, for others
  double steal = 0, throttled = 0;
  double io_pressure = 0.01, iowait_cpus = 0.05;
  double disk_reads = 3e6, disk_writes = 2e6;  // bytes a second
  double cpu_pressure = 0.02;
  double memory = 0.4, memory_pressure = 0, memory_full_pressure = 0;
  double swap_bytes = 0;
};

// What is wrong with one GPU, or odd.
struct GpuState {
  bool is_used = true;
  bool up = true;
  double clock = 1, power = 1, busy = 1;            // factors
  double power_cap = 0, thermal = 0, hardware = 0;  // shares of the time
  double memory_bytes = 0;                          // in addition
  std::map<std::string, int64_t> xids;
  int64_t uncorrected = 0, replays = 0;
  bool remap_pending = false;
  int64_t link_generation = 4, link_width = 16;
};

// All of one moment.
struct Now {
  double t = 0;  // seconds since the scene began
  Work work;
  Host host;
  std::vector<GpuState> gpus;
  double process_bytes = 0;  // of the training process, in addition
};

struct Script {
  Machine machine;
  Work work;
  Host host;
  std::vector<std::function<void(Now&)>> changes;  // made at each moment, in this order
  // What has to be told in the end as the first number of evidence, within 0.05; absent: any.
  std::optional<double> reported{};
};

}  // namespace batchscope::monitor_scenes
