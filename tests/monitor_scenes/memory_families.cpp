// Memory that runs out, or rises.
#include <algorithm>
#include <cmath>

#include "batchscope/stats/rng.hpp"
#include "monitor_scenes/families.hpp"

namespace batchscope::monitor_scenes {
namespace {

using stats::Rng;

Script fills_its_gpu(Rng& rng) {
  Script script = draw_training(rng);
  script.work.memory = between(rng, 0.965, 0.99);
  script.work.memory_wobble = between(rng, 0.004, 0.01);
  return script;
}

Script fills_the_machine(Rng& rng) {
  Script script = draw_training(rng);
  const double waits = between(rng, 0.15, 0.7);
  script.host.memory = between(rng, 0.96, 0.995);
  script.host.memory_pressure = waits;
  script.host.memory_full_pressure = waits * between(rng, 0.2, 0.8);
  if (chance(rng, 0.5)) script.work.busy = between(rng, 0.2, 0.65);
  const double swapped = between(rng, 0, 2e7);  // bytes a second
  script.changes.push_back([swapped](Now& now) { now.host.swap_bytes = swapped * now.t; });
  return script;
}

// Half an hour and more, at longer intervals.
Script draw_long(Rng& rng) {
  Script script = draw_training(rng);
  set_gpus(rng, integer_between(rng, 1, 2), script);
  script.machine.interval = integer_between(rng, 2, 5);
  script.machine.seconds = between(rng, 2400, 4800);
  script.work.memory = between(rng, 0.3, 0.6);
  script.work.step = between(rng, 0.5, 2);
  script.host.memory = between(rng, 0.2, 0.6);
  return script;
}

// The rise of a leak, bytes a second: visible beside the noise of an hour, and not full by its end.
double draw_rate(Rng& rng, double bytes) {
  return between(rng, 0.05, 0.30) * bytes / 4800;
}

Script leaks_on_the_gpu(Rng& rng) {
  Script script = draw_long(rng);
  script.work.memory_wobble = between(rng, 0, 0.01);
  const double rate = draw_rate(rng, script.machine.memory_bytes);
  script.changes.push_back([rate](Now& now) {
    for (GpuState& gpu : now.gpus) gpu.memory_bytes += rate * now.t;
  });
  return script;
}

Script leaks_in_a_process(Rng& rng) {
  Script script = draw_long(rng);
  script.machine.is_watched = true;
  const double rate = draw_rate(rng, script.machine.host_bytes) / 2;
  script.changes.push_back([rate](Now& now) { now.process_bytes += rate * now.t; });
  return script;
}

Script leaks_somewhere(Rng& rng) {
  Script script = draw_long(rng);
  script.machine.is_watched = false;
  const double rate = draw_rate(rng, script.machine.host_bytes);
  script.changes.push_back([rate](Now& now) { now.process_bytes += rate * now.t; });
  return script;
}

// Fills up, ends, and is started again.
Script ends_full_again_and_again(Rng& rng) {
  Script script = draw_training(rng);
  set_gpus(rng, integer_between(rng, 1, 2), script);
  script.machine.interval = integer_between(rng, 1, 3);
  const double life = between(rng, 40, 200), gap = between(rng, 8, 60);
  script.machine.seconds = 5 * (life + gap);
  const double full = between(rng, 0.96, 0.995);
  script.changes.push_back([=](Now& now) {
    const double at = std::fmod(now.t, life + gap);
    now.work.memory = full * std::min(1.0, 0.3 + at / life);
    now.work.present = now.work.trains = at < life;
  });
  return script;
}

}  // namespace

std::vector<Family> memory_families() {
  using enum Nature;
  return {
      {"GPU memory nearly full", faulty, {"monitor.gpu-memory"}, fills_its_gpu},
      {"program that runs out of memory again and again",
       faulty,
       {"monitor.out-of-memory"},
       ends_full_again_and_again},
      {"memory of the machine runs out", faulty, {"monitor.host-memory"}, fills_the_machine},
      {"leak on the GPU", faulty, {"monitor.leak"}, leaks_on_the_gpu},
      {"leak in a process", faulty, {"monitor.leak"}, leaks_in_a_process},
      {"leak on the machine, nobody watched", faulty, {"monitor.leak"}, leaks_somewhere},
  };
}

}  // namespace batchscope::monitor_scenes
