// Machines near a threshold, and where too little is seen: what is told of them may be either.
#include <algorithm>

#include "batchscope/stats/rng.hpp"
#include "monitor_scenes/families.hpp"

namespace batchscope::monitor_scenes {
namespace {

using stats::Rng;

Script nearly_waits_for_its_loader(Rng& rng) {
  Script script = draw_training(rng);
  script.work.workers = integer_between(rng, 1, 8);
  script.work.busy = between(rng, 0.65, 0.85);
  script.work.loading = between(rng, 0.5, 1);
  script.work.worker_cpu = between(rng, 0.6, 0.9);
  return script;
}

Script has_half_a_small_batch(Rng& rng) {
  Script script = draw_training(rng);
  script.work.sm = between(rng, 0.33, 0.5);
  script.work.power = between(rng, 0.38, 0.55);
  script.work.dram = script.work.memory_busy = between(rng, 0.1, 0.4);
  return script;
}

// A thread of a service that asks for work without rest looks like one that holds the GPU up.
Script serves_and_spins(Rng& rng) {
  Script script = draw_training(rng);
  script.work.trains = false;
  script.work.step = between(rng, 0.01, 0.2);
  script.work.busy = between(rng, 0.05, 0.6);
  script.work.main_thread = between(rng, 0.95, 1.0);
  script.work.workers = 0;
  return script;
}

// Neither the loop tells of its loading, nor are its few workers watched.
Script loads_unseen(Rng& rng) {
  Script script = draw_training(rng);
  script.machine.tells_loading = script.machine.is_watched = false;
  script.machine.gpus = 1;
  script.work.workers = integer_between(rng, 1, 4);
  script.work.busy = between(rng, 0.2, 0.65);
  script.work.worker_cpu = between(rng, 0.85, 1.0);
  script.work.main_thread = between(rng, 0.1, 0.6);
  return script;
}

Script leaks_slowly(Rng& rng) {
  Script script = draw_training(rng);
  script.machine.gpus = 1;
  script.machine.interval = 5;
  script.machine.seconds = 3600;
  script.work.step = between(rng, 0.5, 2);
  script.work.memory = between(rng, 0.3, 0.6);
  script.work.memory_wobble = between(rng, 0.005, 0.02);
  const double rate = between(rng, 0.002, 0.02) * script.machine.memory_bytes / 3600;
  script.changes.push_back([rate](Now& now) { now.gpus[0].memory_bytes += rate * now.t; });
  return script;
}

Script evaluates_for_long(Rng& rng) {
  Script script = draw_training(rng);
  const double from = between(rng, 60, 120), lasts = between(rng, 60, 150);
  const double busy = between(rng, 0.4, 0.75);
  script.changes.push_back([=](Now& now) {
    if (now.t >= from && now.t < from + lasts) now.work.busy = busy;
  });
  return script;
}

}  // namespace

std::vector<Family> marginal_families() {
  using enum Nature;
  return {
      {"nearly waits for its loader", marginal, {"monitor.loading"}, nearly_waits_for_its_loader},
      {"between small and fitting batch",
       marginal,
       {"monitor.small-batch"},
       has_half_a_small_batch},
      {"service whose thread spins", marginal, {}, serves_and_spins},
      {"loader of a few workers that nobody watches", marginal, {"monitor.loading"}, loads_unseen},
      {"slow leak beside much noise, one hour", marginal, {"monitor.leak"}, leaks_slowly},
      {"evaluation of one minute and more", marginal, {}, evaluates_for_long},
  };
}

}  // namespace batchscope::monitor_scenes
