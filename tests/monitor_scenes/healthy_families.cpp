// Machines that nobody is to be called for.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>

#include "batchscope/stats/rng.hpp"
#include "monitor_scenes/families.hpp"

namespace batchscope::monitor_scenes {
namespace {

using stats::Rng;

Script trains(Rng& rng) {
  Script script = draw_training(rng);
  script.machine.gpus = 1;
  return script;
}

Script trains_on_several(Rng& rng) {
  Script script = draw_training(rng);
  set_gpus(rng, 2 << rng.below(3), script);
  return script;
}

// A service: requests come one by one, or in groups, and much time lies between them.
Script serves_a_little(Rng& rng) {
  Script script = draw_training(rng);
  Work& work = script.work;
  work.trains = false;
  work.step = std::exp(between(rng, std::log(0.005), std::log(0.3)));
  work.busy = between(rng, 0.03, 0.5);
  work.unevenness = between(rng, 0.5, 1.2);
  work.main_thread = std::min(0.8, work.busy + between(rng, 0.05, 0.3));
  work.workers = integer_between(rng, 0, 2);
  work.worker_cpu = between(rng, 0.02, 0.4);
  work.power = between(rng, 0.4, 0.9);
  return script;
}

Script serves_much(Rng& rng) {
  Script script = serves_a_little(rng);
  script.work.busy = between(rng, 0.85, 0.98);
  script.work.main_thread = between(rng, 0.5, 0.85);
  script.work.power = between(rng, 0.55, 0.95);
  return script;
}

Script rests(Rng& rng) {
  Script script = draw_training(rng);
  script.work.present = false;
  script.machine.tells_steps = false;
  script.host.background = between(rng, 0.0, 0.4);
  return script;
}

Script trains_on_cpus(Rng& rng) {
  Script script = draw_training(rng);
  script.machine.gpus = chance(rng, 0.5) ? 0 : 1;
  script.work.present = script.machine.gpus == 0;
  // All CPUs compute, most of the time.
  script.host.background = between(rng, 0.7, 1.0);
  script.host.cpu_pressure = between(rng, 0.1, 0.9);
  return script;
}

struct Span {
  double every, lasts, first;
  bool holds(double t) const { return t >= first && std::fmod(t - first, every) < lasts; }
};

Script evaluates(Rng& rng) {
  Script script = draw_training(rng);
  const Span span{between(rng, 120, 300), between(rng, 10, 100), between(rng, 20, 100)};
  const double busy = between(rng, 0.40, 0.92), memory = between(rng, 0.9, 1.0);
  script.changes.push_back([=](Now& now) {
    if (!span.holds(now.t)) return;
    now.work.busy = busy;
    now.work.memory *= memory;
    now.work.trains = false;  // no steps are told meanwhile
  });
  return script;
}

Script writes_checkpoints(Rng& rng) {
  Script script = draw_training(rng);
  const Span span{between(rng, 90, 300), between(rng, 2, 60), between(rng, 20, 100)};
  const double pressure = between(rng, 0.2, 0.8), writes = between(rng, 2e8, 3e9);
  script.changes.push_back([=](Now& now) {
    if (!span.holds(now.t)) return;
    now.work.busy = 0.02;
    now.work.main_thread = 0.9;
    now.work.trains = false;
    now.host.io_pressure = pressure;
    now.host.iowait_cpus = 1;
    now.host.disk_writes = writes;
  });
  return script;
}

// It waits for somebody, is stopped, or works on the CPU alone for a while.
Script pauses(Rng& rng) {
  Script script = draw_training(rng);
  set_gpus(rng, 1 << rng.below(3), script);
  const Span span{between(rng, 150, 300), between(rng, 30, 120), between(rng, 20, 150)};
  const double thread = chance(rng, 0.5) ? 0.02 : between(rng, 0.5, 1.0);
  script.changes.push_back([=](Now& now) {
    if (!span.holds(now.t)) return;
    now.work.busy = 0.005;
    now.work.main_thread = thread;
    now.work.worker_cpu = 0.01;
    now.work.trains = false;
  });
  return script;
}

// Rank 0 evaluates, and the others wait for it in a collective: busy, and with little power.
Script evaluates_on_one(Rng& rng) {
  Script script = draw_training(rng);
  set_gpus(rng, 4 << rng.below(2), script);
  script.machine.tells_steps = true;
  const Span span{between(rng, 120, 300), between(rng, 20, 100), between(rng, 20, 100)};
  const double busy = between(rng, 0.4, 0.9);
  script.changes.push_back([=](Now& now) {
    if (!span.holds(now.t)) return;
    now.work.trains = false;
    now.work.busy = 0.99;
    now.gpus[0].busy = busy;
    for (std::size_t i = 1; i < now.gpus.size(); ++i) now.gpus[i].power = 0.35;
  });
  return script;
}

// Imports, data sets that are indexed, a compiler: then it trains, and then it ends.
Script begins_and_ends(Rng& rng) {
  Script script = draw_training(rng);
  const double starts = between(rng, 10, 60), works = starts + between(rng, 10, 100);
  const double ends = script.machine.seconds - between(rng, 5, 60);
  const double busy = chance(rng, 0.5) ? 0.005 : between(rng, 0.005, 0.04);
  script.changes.push_back([=](Now& now) {
    if (now.t < starts || now.t > ends) now.work.present = false;
    if (now.t > works) return;
    now.work.trains = false;
    now.work.busy = busy;
    now.work.memory = 0.05;
    now.work.main_thread = 1;
    now.work.worker_cpu = 0.02;
  });
  return script;
}

Script changes_its_batch(Rng& rng) {
  Script script = draw_training(rng);
  script.machine.tells_steps = true;
  script.work.memory = between(rng, 0.2, 0.45);
  const double at = between(rng, 0.3, 0.6) * script.machine.seconds;
  script.changes.push_back([at](Now& now) {
    if (now.t < at) return;
    now.work.batch *= 2;
    now.work.memory *= 1.9;
    now.work.step *= 1.8;
  });
  return script;
}

// Frameworks that take all memory at the start.
Script takes_all_memory(Rng& rng) {
  Script script = draw_training(rng);
  script.work.memory = between(rng, 0.9, 0.995);
  script.work.memory_wobble = 0.0003;
  return script;
}

// An allocator that warms up, and gives back at the end of an epoch.
Script warms_up(Rng& rng) {
  Script script = draw_training(rng);
  set_gpus(rng, integer_between(rng, 1, 2), script);
  script.machine.interval = integer_between(rng, 2, 5);
  script.machine.seconds = between(rng, 2400, 4800);
  script.work.step = between(rng, 0.5, 2);
  script.work.memory = between(rng, 0.2, 0.4);
  const double bytes = script.machine.memory_bytes * between(rng, 0.1, 0.3);
  const double settles = between(rng, 60, 600), epoch = between(rng, 200, 900);
  const double tooth = between(rng, 0, 0.2) * bytes;
  script.changes.push_back([=](Now& now) {
    for (GpuState& gpu : now.gpus) {
      gpu.memory_bytes =
          bytes * (1 - std::exp(-now.t / settles)) + tooth * std::fmod(now.t, epoch) / epoch;
    }
    now.process_bytes = 0.2 * bytes * std::fmod(now.t, epoch) / epoch;
  });
  return script;
}

// Somebody tries things out: now and then a few seconds of work.
Script is_a_notebook(Rng& rng) {
  Script script = draw_training(rng);
  script.machine.gpus = 1;
  script.work.trains = false;
  script.work.memory = between(rng, 0.1, 0.9);
  const Span span{between(rng, 30, 200), between(rng, 2, 20), between(rng, 5, 60)};
  script.changes.push_back([span](Now& now) {
    if (span.holds(now.t)) return;
    now.work.busy = 0.005;
    now.work.main_thread = 0.02;
    now.work.worker_cpu = 0.01;
  });
  return script;
}

Script is_at_its_power_limit(Rng& rng) {
  Script script = draw_training(rng);
  const double capped = between(rng, 0.3, 1), clock = between(rng, 0.72, 0.95);
  script.work.power = 0.99;
  script.changes.push_back([=](Now& now) {
    now.work.clock = 1;
    for (GpuState& gpu : now.gpus) {
      gpu.power_cap = capped;
      gpu.clock = clock;
    }
  });
  return script;
}

// Others come and go on the machine: its memory wanders.
Script wanders(Rng& rng) {
  Script script = draw_training(rng);
  script.machine.gpus = 1;
  script.machine.is_watched = false;
  script.machine.interval = integer_between(rng, 2, 5);
  script.machine.seconds = between(rng, 2400, 4800);
  script.work.step = between(rng, 0.5, 2);
  script.host.memory = between(rng, 0.2, 0.5);
  const double step = between(rng, 1e7, 2e8) * std::sqrt(script.machine.interval);
  const auto own = std::make_shared<Rng>(rng.next());
  const auto at = std::make_shared<double>(0);
  script.changes.push_back([=](Now& now) {
    *at += step * own->normal();
    now.process_bytes = std::clamp(*at, -40e9, 80e9);
  });
  return script;
}

}  // namespace

std::vector<Family> healthy_families() {
  using enum Nature;
  return {
      {"training", healthy, {}, trains},
      {"training on several GPUs", healthy, {}, trains_on_several},
      {"service with gaps", healthy, {}, serves_a_little},
      {"service at full load", healthy, {}, serves_much},
      {"nothing runs", healthy, {}, rests},
      {"training on CPUs", healthy, {}, trains_on_cpus},
      {"evaluation in between", healthy, {}, evaluates},
      {"evaluation on one of several GPUs", healthy, {}, evaluates_on_one},
      {"training that is interrupted", healthy, {}, pauses},
      {"checkpoints", healthy, {}, writes_checkpoints},
      {"beginning and end of a job", healthy, {}, begins_and_ends},
      {"change of the batch size", healthy, {}, changes_its_batch},
      {"all memory taken at the start", healthy, {}, takes_all_memory},
      {"allocator that warms up and gives back", healthy, {}, warms_up},
      {"notebook", healthy, {}, is_a_notebook},
      {"power limit at full load", healthy, {}, is_at_its_power_limit},
      {"memory of the machine wanders", healthy, {}, wanders},
  };
}

}  // namespace batchscope::monitor_scenes
