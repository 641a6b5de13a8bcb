#include "monitor_scenes/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "batchscope/stats/rng.hpp"
#include "monitor_scenes/loop.hpp"

namespace batchscope::monitor_scenes {
namespace {

using telemetry::GpuReading;
using telemetry::HostReading;
using telemetry::ProcessReading;
using telemetry::Sample;

constexpr double kBegan = 1.7e9;  // seconds since the epoch

double within(double value) {
  return std::clamp(value, 0.0, 1.0);
}

double percent(double value) {
  return std::round(100 * within(value)) / 100;
}

class Simulation {
 public:
  Simulation(const Script& script, uint64_t seed, const Listener& listener)
      : script_(script), rng_(seed), loop_(stats::mix_seed(seed, 1)), listener_(listener) {
    braked_.resize(static_cast<std::size_t>(script.machine.gpus));
  }

  void play() {
    const Machine& machine = script_.machine;
    for (double t = machine.interval; t <= machine.seconds; t += machine.interval) {
      Now now{t, script_.work, script_.host, {}, 0};
      now.gpus.resize(static_cast<std::size_t>(machine.gpus));
      for (const auto& change : script_.changes) change(now);
      moment(now);
    }
  }

 private:
  // Each value has noise of its own that it keeps a part of.
  double noise(int channel, double size) {
    constexpr double kKept = 0.6;
    double& at = noise_[channel];
    at = kKept * at + std::sqrt(1 - kKept * kKept) * rng_.normal();
    return at * size * script_.machine.noise;
  }

  bool is_lost() { return rng_.uniform() < script_.machine.lost; }

  void moment(const Now& now) {
    const double interval = script_.machine.interval;
    double busy = 0;
    if (now.work.present) {
      busy = loop_.advance(now.work, kBegan + now.t - interval, interval,
                           [&](const telemetry::TrainingStep& step) { tell(now, step); });
    }
    Sample sample;
    sample.time_ns = static_cast<int64_t>((kBegan + now.t) * 1e9);
    for (std::size_t i = 0; i < now.gpus.size(); ++i) {
      sample.gpus.push_back(gpu(now, i, busy, sample.time_ns));
    }
    if (!is_lost()) sample.host = host(now);
    if (script_.machine.is_watched && now.work.present) add_processes(now, sample);
    listener_.sample(sample);
  }

  void tell(const Now& now, telemetry::TrainingStep step) {
    if (!script_.machine.tells_steps || !now.work.trains) return;
    if (!script_.machine.tells_loading) step.loading_seconds.reset();
    listener_.step(step);
  }

  GpuReading gpu(const Now& now, std::size_t i, double loop_busy, int64_t time_ns) {
    const GpuState& state = now.gpus[i];
    GpuReading reading;
    reading.gpu = std::to_string(i);
    reading.uuid = "GPU-" + std::to_string(i);
    reading.name = "NVIDIA H100 80GB HBM3";
    reading.up = state.up;
    reading.xid_errors_total = state.xids;
    if (!state.up) {
      reading.why_down = "GPU is lost";
      return reading;
    }
    // Some readings come twice, because they took longer than the interval.
    reading.read_ns = is_lost() && last_read_ns_[i] != 0 ? last_read_ns_[i] : time_ns;
    last_read_ns_[i] = reading.read_ns;
    const bool used = state.is_used && now.work.present;
    const double busy = used ? within(loop_busy * state.busy) : 0;
    fill_use(now, i, busy, reading);
    fill_memory(now, i, used, reading);
    fill_state(state, i, busy, reading);
    if (used) reading.processes.push_back({pid_of(i), std::nullopt});
    return reading;
  }

  void fill_use(const Now& now, std::size_t i, double busy, GpuReading& reading) {
    const GpuState& state = now.gpus[i];
    const Work& work = now.work;
    const int channel = 100 * static_cast<int>(i);
    constexpr double kSpikes = 0.01;
    double seen = busy + (busy > 0 ? noise(channel, 0.012) : 0);
    if (busy > 0 && rng_.uniform() < kSpikes) seen = rng_.uniform();
    if (!is_lost()) reading.busy_ratio = percent(seen);
    if (!is_lost()) reading.memory_busy_ratio = percent(work.memory_busy * busy);
    if (script_.machine.has_gpm && !is_lost()) {
      const auto active = [&](double share, int each) {
        return within(share * busy + (busy > 0 ? noise(channel + each, 0.02) : 0));
      };
      reading.sm_active_ratio = active(work.sm, 1);
      reading.sm_occupancy_ratio = active(work.sm / 2, 2);
      reading.tensor_active_ratio = active(work.tensor, 3);
      reading.dram_active_ratio = active(work.dram, 4);
    }
    constexpr double kIdlePower = 0.14, kLimit = 700;
    const double power = kIdlePower + (work.power * state.power - kIdlePower) * busy;
    if (!is_lost()) reading.power_watts = kLimit * std::max(0.05, power + noise(channel + 5, 0.02));
    reading.power_limit_watts = kLimit;
    constexpr double kMaxClock = 1.98e9;
    const double clock = busy > 0.02 ? work.clock * state.clock + noise(channel + 6, 0.01) : 0.3;
    if (!is_lost()) reading.sm_clock_hertz = kMaxClock * within(clock);
    reading.max_sm_clock_hertz = kMaxClock;
    reading.temperature_celsius =
        30 + (work.temperature - 30) * (0.4 + 0.6 * busy) + noise(channel + 7, 1.0);
  }

  void fill_memory(const Now& now, std::size_t i, bool used, GpuReading& reading) {
    const double total = script_.machine.memory_bytes;
    const double share =
        used ? now.work.memory + noise(100 * static_cast<int>(i) + 8, now.work.memory_wobble)
             : 0.006;
    reading.memory_total_bytes = static_cast<int64_t>(total);
    reading.memory_used_bytes =
        static_cast<int64_t>(std::min(total, within(share) * total + now.gpus[i].memory_bytes));
  }

  void fill_state(const GpuState& state, std::size_t i, double busy, GpuReading& reading) {
    const double interval_ns = script_.machine.interval * 1e9;
    const std::pair<const char*, double> brakes[] = {{"power_cap", state.power_cap},
                                                     {"thermal", state.thermal},
                                                     {"hardware_slowdown", state.hardware}};
    for (const auto& [reason, share] : brakes) {
      if (share <= 0) continue;
      const double held = within(share * busy + 0.1 * share * rng_.normal()) * interval_ns;
      braked_[i][reason] += static_cast<int64_t>(held);
    }
    reading.throttle_ns_total = braked_[i];
    reading.ecc_uncorrected_errors_total = state.uncorrected;
    reading.pcie_replays_total = state.replays;
    reading.remap_pending = state.remap_pending;
    // An idle link saves power.
    reading.pcie_link_generation = busy > 0.02 ? state.link_generation : 1;
    reading.pcie_link_width = state.link_width;
  }

  // CPUs that the work and others keep busy.
  struct Load {
    std::vector<double> threads;  // each a core's share
    double others = 0;            // spread over all
  };

  Load load_of(const Now& now) {
    Load load;
    load.others = within(now.host.background + noise(1, 0.005));
    if (!now.work.present) return load;
    for (const GpuState& gpu : now.gpus) {
      if (!gpu.is_used) continue;
      load.threads.push_back(within(now.work.main_thread + noise(2, 0.02)));
      for (int w = 0; w < now.work.workers; ++w) {
        load.threads.push_back(within(now.work.worker_cpu + noise(10 + w, 0.04)));
      }
    }
    return load;
  }

  // Threads stay on their core for most of the time.
  std::vector<double> cores_of(const Load& load) {
    constexpr double kMoves = 0.1;
    const std::size_t cpus = static_cast<std::size_t>(script_.machine.cpus);
    std::vector<double> cores(cpus, load.others);
    for (std::size_t i = 0; i < load.threads.size(); ++i) {
      const double moved = rng_.uniform() < kMoves ? rng_.uniform() : 0;
      cores[(7 * i) % cpus] += load.threads[i] * (1 - moved);
      cores[(7 * i + 3) % cpus] += load.threads[i] * moved;
    }
    for (double& core : cores) core = within(core);
    return cores;
  }

  HostReading host(const Now& now) {
    const Machine& machine = script_.machine;
    const Host& host = now.host;
    const std::vector<double> cores = cores_of(load_of(now));
    HostReading reading;
    double sum = 0;
    for (const double core : cores) sum += core;
    reading.cpus = machine.cpus;
    reading.cpu_busy_ratio = within(sum / machine.cpus);
    if (machine.has_cores) reading.cpu_busy_ratio_by_core = cores;
    const double idle = 1 - *reading.cpu_busy_ratio;
    reading.cpu_iowait_ratio =
        std::min(idle, std::max(0.0, host.iowait_cpus * (1 + noise(3, 0.2))) / machine.cpus);
    reading.disk_read_bytes_per_second = std::max(0.0, host.disk_reads * (1 + noise(13, 0.3)));
    reading.disk_write_bytes_per_second = std::max(0.0, host.disk_writes * (1 + noise(14, 0.3)));
    reading.cpu_steal_ratio = within(host.steal * (1 + noise(4, 0.15)));
    if (host.throttled > 0) {
      reading.cpu_throttled_ratio = within(host.throttled * (1 + noise(5, 0.15)));
    }
    reading.memory_total_bytes = static_cast<int64_t>(machine.host_bytes);
    reading.memory_used_bytes = static_cast<int64_t>(
        std::min(1.0, host.memory + noise(6, 0.001)) * machine.host_bytes + now.process_bytes);
    reading.swap_used_bytes = static_cast<int64_t>(host.swap_bytes);
    if (!machine.has_pressure) return reading;
    reading.pressure_io_some_ratio = within(host.io_pressure * (1 + noise(7, 0.15)));
    reading.pressure_memory_some_ratio = within(host.memory_pressure * (1 + noise(8, 0.15)));
    reading.pressure_memory_full_ratio = within(host.memory_full_pressure * (1 + noise(9, 0.15)));
    reading.pressure_cpu_some_ratio = within(host.cpu_pressure * (1 + noise(9, 0.15)));
    return reading;
  }

  static int64_t pid_of(std::size_t gpu) { return 1000 + 100 * static_cast<int64_t>(gpu); }

  void add_processes(const Now& now, Sample& sample) {
    constexpr int64_t kLauncher = 900;
    for (std::size_t i = 0; i < now.gpus.size(); ++i) {
      if (!now.gpus[i].is_used) continue;
      ProcessReading main;
      main.pid = pid_of(i);
      main.parent = kLauncher;
      main.name = "python3";
      main.busiest_thread_ratio = within(now.work.main_thread + noise(50, 0.02));
      main.cpu_cores = *main.busiest_thread_ratio + 0.1;
      main.resident_bytes = static_cast<int64_t>(6e9 * (1 + noise(51, 0.002)) + now.process_bytes);
      sample.processes.push_back(main);
      for (int w = 0; w < now.work.workers; ++w) {
        sample.processes.push_back(worker(now, main.pid, w));
      }
    }
  }

  ProcessReading worker(const Now& now, int64_t parent, int w) {
    ProcessReading reading;
    reading.pid = parent + 1 + w;
    reading.parent = parent;
    reading.name = "python3";
    reading.cpu_cores = std::max(0.0, now.work.worker_cpu + noise(60 + w, 0.04));
    reading.busiest_thread_ratio = within(*reading.cpu_cores);
    reading.resident_bytes = static_cast<int64_t>(1.5e9 * (1 + noise(70 + w, 0.003)));
    if (script_.machine.has_delays) {
      reading.io_wait_ratio = std::max(0.0, now.work.worker_wait * (1 + noise(80 + w, 0.15)));
    }
    return reading;
  }

  const Script& script_;
  stats::Rng rng_;
  Loop loop_;
  const Listener& listener_;
  std::map<int, double> noise_;
  std::map<std::size_t, int64_t> last_read_ns_;
  std::vector<telemetry::CountByName> braked_;
};

}  // namespace

void play(const Script& script, uint64_t seed, const Listener& listener) {
  Simulation(script, seed, listener).play();
}

}  // namespace batchscope::monitor_scenes
