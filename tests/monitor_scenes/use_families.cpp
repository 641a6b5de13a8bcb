// Machines that are not used well.
#include <algorithm>
#include <cstdint>

#include "batchscope/stats/rng.hpp"
#include "monitor_scenes/families.hpp"

namespace batchscope::monitor_scenes {
namespace {

using stats::Rng;

// Somebody can see what the loader does: it tells itself, or its processes are watched.
void let_the_loader_be_seen(Rng& rng, Machine& machine) {
  const bool reported = machine.tells_steps && machine.tells_loading;
  if (reported || machine.is_watched) return;
  machine.is_watched = chance(rng, 0.5);
  machine.tells_steps = machine.tells_loading = !machine.is_watched;
}

Script waits_for_its_loader(Rng& rng) {
  Script script = draw_training(rng);
  let_the_loader_be_seen(rng, script.machine);
  Work& work = script.work;
  work.workers = integer_between(rng, 1, 8);
  work.busy = between(rng, 0.12, 0.65);
  work.burst = chance(rng, 0.5) ? work.workers : 1;  // batches come as many at a time as workers
  work.loading = between(rng, 0.85, 1.0);
  work.main_thread = between(rng, 0.1, 0.6);
  work.worker_cpu = between(rng, 0.85, 1.0);
  script.machine.cpus =
      static_cast<int>(script.machine.gpus * (work.workers + 1) * between(rng, 1.05, 4)) + 1;
  return script;
}

// For most of an hour, in one piece or in two: with the share of its own time.
Script waits_for_hours(Rng& rng) {
  Script script = waits_for_its_loader(rng);
  set_gpus(rng, integer_between(rng, 1, 2), script);
  script.machine.cpus += script.machine.gpus * script.work.workers;
  script.machine.seconds = 3600;
  script.machine.interval = 5;
  script.work.step = between(rng, 0.1, 0.5);
  script.work.unevenness = between(rng, 0.1, 0.4);
  script.work.burst = 1;
  const Work healthy = draw_training(rng).work;
  const double at = between(rng, 200, 1500), pause_at = between(rng, 1900, 2400);
  const double pause = chance(rng, 0.5) ? between(rng, 300, 900) : 0;
  script.reported = script.work.busy;
  script.changes.push_back([=](Now& now) {
    const bool is_well = now.t < at || (now.t >= pause_at && now.t < pause_at + pause);
    if (!is_well) return;
    now.work.busy = healthy.busy;
    now.work.loading = healthy.loading;
    now.work.worker_cpu = healthy.worker_cpu;
  });
  return script;
}

// Batches are so rare that the GPU does next to nothing.
Script starves(Rng& rng) {
  Script script = waits_for_its_loader(rng);
  script.machine.is_watched = true;
  script.work.busy = between(rng, 0.01, 0.05);
  script.work.step = between(rng, 0.01, 0.06);
  script.work.main_thread = between(rng, 0.02, 0.3);
  return script;
}

Script is_starved_by_one_thread(Rng& rng) {
  Script script = draw_training(rng);
  script.machine.is_watched = true;
  script.work.busy = between(rng, 0.01, 0.05);
  script.work.step = between(rng, 0.005, 0.1);
  script.work.unevenness = between(rng, 0.05, 0.3);
  script.work.loading = 0.02;
  script.work.main_thread = between(rng, 0.95, 1.0);
  script.work.worker_cpu = between(rng, 0.02, 0.4);
  return script;
}

Script waits_for_disks(Rng& rng) {
  Script script = draw_training(rng);
  let_the_loader_be_seen(rng, script.machine);
  Work& work = script.work;
  // Without either, only iowait tells.
  if (!script.machine.has_pressure) script.machine.has_delays = chance(rng, 0.7);
  work.workers = integer_between(rng, 1, 8);
  work.busy = between(rng, 0.10, 0.65);
  work.unevenness = between(rng, 0.5, 1.0);
  work.loading = between(rng, 0.85, 1.0);
  work.main_thread = between(rng, 0.1, 0.6);
  work.worker_cpu = between(rng, 0.05, 0.5);
  work.worker_wait = between(rng, 0.35, 0.9);
  script.host.io_pressure = between(rng, 0.3, 0.9);
  // Shares of other machines are no disks of this one.
  script.host.disk_reads = chance(rng, 0.3) ? 0 : between(rng, 5e7, 2e9);
  script.host.iowait_cpus = work.worker_wait * work.workers * script.machine.gpus;
  script.machine.cpus += script.machine.gpus * work.workers;
  return script;
}

Script waits_for_one_thread(Rng& rng) {
  Script script = draw_training(rng);
  Work& work = script.work;
  if (!script.machine.has_cores) script.machine.is_watched = true;
  // One process a GPU would be many hot CPUs where nobody is watched.
  if (!script.machine.is_watched) script.machine.gpus = 1;
  work.busy = between(rng, 0.15, 0.65);
  work.unevenness = between(rng, 0.05, 0.3);
  work.loading = 0.02;
  work.main_thread = between(rng, 0.95, 1.0);
  work.worker_cpu = between(rng, 0.02, 0.4);
  work.power = between(rng, 0.4, 0.7);
  return script;
}

Script has_a_small_batch(Rng& rng) {
  Script script = draw_training(rng);
  Work& work = script.work;
  work.busy = between(rng, 0.90, 0.99);
  work.sm = between(rng, 0.05, 0.33);
  work.tensor = work.sm * between(rng, 0.1, 0.5);
  work.dram = between(rng, 0.03, 0.3);
  work.memory_busy = between(rng, 0.02, 0.35);
  work.power = between(rng, 0.22, 0.38);
  work.clock = between(rng, 0.93, 1.0);
  work.memory = between(rng, 0.08, 0.6);
  return script;
}

// Slow collectives in phases that last seconds; the GPUs stand still together.
Script waits_for_other_gpus(Rng& rng) {
  Script script = draw_training(rng);
  set_gpus(rng, integer_between(rng, 1, 2) * 4, script);
  script.machine.interval = std::min(script.machine.interval, 2.0);
  Work& work = script.work;
  work.step = between(rng, 2, 8);
  work.busy = between(rng, 0.3, 0.62);
  work.unevenness = between(rng, 0.1, 0.5);
  work.loading = 0.02;
  work.main_thread = between(rng, 0.3, 1.0);
  return script;
}

// Nothing that is seen explains it.
Script waits_for_what_nobody_sees(Rng& rng) {
  Script script = draw_training(rng);
  script.machine.tells_steps = true;
  Work& work = script.work;
  work.step = between(rng, 0.05, 0.3);
  work.busy = between(rng, 0.2, 0.65);
  work.unevenness = between(rng, 0.05, 0.3);
  work.loading = 0.02;
  work.main_thread = between(rng, 0.2, 0.7);
  return script;
}

Script shares_its_cpus(Rng& rng) {
  Script script = draw_training(rng);
  script.machine.is_watched = true;
  Work& work = script.work;
  work.busy = between(rng, 0.2, 0.65);
  work.loading = between(rng, 0.02, 0.1);
  work.main_thread = between(rng, 0.3, 0.8);
  work.worker_cpu = between(rng, 0.05, 0.5);
  script.host.background = between(rng, 0.95, 1.0);
  script.host.cpu_pressure = between(rng, 0.5, 0.95);
  return script;
}

Script has_a_cpu_quota(Rng& rng) {
  Script script = draw_training(rng);
  Work& work = script.work;
  work.busy = between(rng, 0.2, 0.65);
  work.loading = between(rng, 0.02, 1.0);
  work.main_thread = between(rng, 0.2, 0.9);
  work.worker_cpu = between(rng, 0.2, 0.9);
  script.host.throttled = between(rng, 0.2, 0.9);
  return script;
}

Script has_a_greedy_neighbour(Rng& rng) {
  Script script = draw_training(rng);
  Work& work = script.work;
  work.busy = between(rng, 0.25, 0.65);
  work.main_thread = between(rng, 0.3, 0.8);
  script.host.steal = between(rng, 0.18, 0.5);
  return script;
}

Script is_bound_by_memory(Rng& rng) {
  Script script = draw_training(rng);
  script.machine.has_gpm = true;
  Work& work = script.work;
  work.trains = chance(rng, 0.3);
  work.dram = between(rng, 0.75, 0.95);
  work.tensor = between(rng, 0.0, 0.11);
  work.sm = between(rng, 0.5, 0.95);
  return script;
}

Script has_room(Rng& rng) {
  Script script = draw_training(rng);
  script.machine.tells_steps = true;
  script.work.memory = between(rng, 0.15, 0.7);
  script.work.batch = std::max<int64_t>(script.work.batch, 4);  // one more of it has room
  return script;
}

Script nobody_uses(Rng& rng) {
  Script script = draw_training(rng);
  script.work.present = false;
  return script;
}

}  // namespace

std::vector<Family> use_families() {
  using enum Nature;
  return {
      {"waits for its loader", faulty, {"monitor.loading"}, waits_for_its_loader},
      {"waits for its loader for most of an hour, reported with its share",
       faulty,
       {"monitor.loading"},
       waits_for_hours},
      {"waits for disks", faulty, {"monitor.disk"}, waits_for_disks},
      {"waits for one thread", faulty, {"monitor.host-bound"}, waits_for_one_thread},
      {"starves for its loader", faulty, {"monitor.loading"}, starves},
      {"starves for one thread", faulty, {"monitor.host-bound"}, is_starved_by_one_thread},
      {"small batch", faulty, {"monitor.small-batch"}, has_a_small_batch},
      {"waits for other GPUs in phases of seconds",
       faulty,
       {"monitor.synchronisation"},
       waits_for_other_gpus},
      {"waits, and nothing shows for what",
       faulty,
       {"monitor.low-use"},
       waits_for_what_nobody_sees},
      {"others take the CPUs", faulty, {"monitor.cpu-saturated"}, shares_its_cpus},
      {"CPU quota", faulty, {"monitor.cpu-quota"}, has_a_cpu_quota},
      {"other guests take the CPUs", faulty, {"monitor.steal"}, has_a_greedy_neighbour},
      {"bound by device memory", faulty, {"monitor.memory-bound"}, is_bound_by_memory},
      {"room for a larger batch", faulty, {"monitor.headroom"}, has_room},
      {"GPU that nobody uses", faulty, {"monitor.idle"}, nobody_uses},
  };
}

}  // namespace batchscope::monitor_scenes
