#include "monitor_scenes/families.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/stats/rng.hpp"

namespace batchscope::monitor_scenes {

double between(stats::Rng& rng, double low, double high) {
  return low + (high - low) * rng.uniform();
}

int integer_between(stats::Rng& rng, int low, int high) {
  return low + static_cast<int>(rng.below(static_cast<uint64_t>(high - low + 1)));
}

bool chance(stats::Rng& rng, double probability) {
  return rng.uniform() < probability;
}

namespace {

Machine draw_machine(stats::Rng& rng) {
  constexpr int kGpus[] = {1, 1, 1, 2, 4, 8};
  constexpr double kIntervals[] = {0.5, 1, 1, 2, 5};
  Machine machine;
  machine.gpus = kGpus[rng.below(6)];
  machine.interval = kIntervals[rng.below(5)];
  machine.seconds = between(rng, 240, 400);
  machine.has_gpm = chance(rng, 0.6);
  machine.has_pressure = chance(rng, 0.75);
  machine.has_delays = chance(rng, 0.5);
  machine.has_cores = chance(rng, 0.8);
  machine.is_watched = chance(rng, 0.7);
  machine.tells_steps = chance(rng, 0.7);
  machine.tells_loading = chance(rng, 0.6);
  machine.lost = chance(rng, 0.3) ? between(rng, 0.01, 0.10) : 0;
  machine.noise = between(rng, 0.5, 2);
  machine.memory_bytes = chance(rng, 0.5) ? 80e9 : 24e9;
  return machine;
}

}  // namespace

void set_gpus(stats::Rng& rng, int gpus, Script& script) {
  script.machine.gpus = gpus;
  const int threads = gpus * (script.work.workers + 1);
  script.machine.cpus = static_cast<int>(threads * between(rng, 1.2, 4)) + 4;
}

Script draw_training(stats::Rng& rng) {
  Script script;
  script.machine = draw_machine(rng);
  Work& work = script.work;
  work.step = std::exp(between(rng, std::log(0.05), std::log(1.5)));
  work.busy = between(rng, 0.90, 0.99);
  work.unevenness = between(rng, 0.1, 0.6);
  work.sm = between(rng, 0.60, 0.90);
  work.tensor = between(rng, 0.18, 0.55);
  work.dram = between(rng, 0.2, 0.6);
  work.memory_busy = between(rng, 0.2, 0.7);
  work.power = between(rng, 0.60, 0.95);
  work.clock = between(rng, 0.86, 0.99);
  work.temperature = between(rng, 50, 75);
  work.memory = between(rng, 0.3, 0.93);
  work.batch = int64_t{1} << rng.below(9);
  work.main_thread = between(rng, 0.3, 1.0);  // some wait for the GPU at full speed
  work.workers = integer_between(rng, 0, 8);
  work.worker_cpu = between(rng, 0.05, 0.55);
  set_gpus(rng, script.machine.gpus, script);
  script.host.background = between(rng, 0.005, 0.05);
  script.host.memory = between(rng, 0.1, 0.8);
  script.host.io_pressure = between(rng, 0, 0.06);
  script.host.iowait_cpus = between(rng, 0, 0.3);
  return script;
}

const std::vector<Family>& families() {
  static const std::vector<Family> kAll = [] {
    std::vector<Family> all;
    for (const auto& some : {use_families(), memory_families(), fault_families(),
                             healthy_families(), marginal_families()}) {
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }();
  return kAll;
}

}  // namespace batchscope::monitor_scenes
