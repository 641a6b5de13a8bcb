// Hardware that is slow or broken, from a moment on.
#include <cstddef>
#include <string>

#include "batchscope/stats/rng.hpp"
#include "monitor_scenes/families.hpp"

namespace batchscope::monitor_scenes {
namespace {

using stats::Rng;

struct Onset {
  double at = 0;
  std::size_t gpu = 0;
};

Onset draw_onset(Rng& rng, const Script& script) {
  return {between(rng, 0.1, 0.4) * script.machine.seconds,
          static_cast<std::size_t>(rng.below(static_cast<uint64_t>(script.machine.gpus)))};
}

// A training in which one GPU is changed from some moment on.
template <class Change>
Script with_one_gpu(Rng& rng, Change change) {
  Script script = draw_training(rng);
  const Onset onset = draw_onset(rng, script);
  script.changes.push_back([onset, change](Now& now) {
    if (now.t >= onset.at) change(now.gpus[onset.gpu]);
  });
  return script;
}

Script is_hot(Rng& rng) {
  const double slowed = between(rng, 0.15, 1), clock = between(rng, 0.5, 0.92);
  return with_one_gpu(rng, [=](GpuState& gpu) {
    gpu.thermal = slowed;
    gpu.clock = 1 - slowed * (1 - clock);
    gpu.power = 0.9 * gpu.clock;
  });
}

Script is_braked(Rng& rng) {
  const double slowed = between(rng, 0.1, 1);
  return with_one_gpu(rng, [=](GpuState& gpu) {
    gpu.hardware = slowed;
    gpu.clock = 1 - 0.5 * slowed;
    gpu.power = gpu.clock;
  });
}

// The limit was lowered, on all.
Script has_a_low_limit(Rng& rng) {
  Script script = draw_training(rng);
  const double clock = between(rng, 0.35, 0.65), capped = between(rng, 0.8, 1);
  script.work.power = 0.98;
  script.changes.push_back([=](Now& now) {
    for (GpuState& gpu : now.gpus) {
      gpu.power_cap = capped;
      gpu.clock = clock;
    }
  });
  return script;
}

// The others wait for it within collectives, which keep them busy and cool.
Script straggles(Rng& rng) {
  Script script = draw_training(rng);
  set_gpus(rng, integer_between(rng, 1, 2) * 4, script);
  if (!script.machine.is_watched) script.machine.tells_steps = true;
  const Onset onset = draw_onset(rng, script);
  const double clock = between(rng, 0.6, 0.85);
  script.changes.push_back([=](Now& now) {
    if (now.t < onset.at) return;
    for (std::size_t i = 0; i < now.gpus.size(); ++i) {
      if (i == onset.gpu) {
        now.gpus[i].clock = clock;
      } else {
        now.gpus[i].power = clock + 0.1;
      }
    }
  });
  return script;
}

// One rank hangs: the kernels of the others wait for it, and no step ends any more.
Script hangs_in_a_collective(Rng& rng) {
  Script script = draw_training(rng);
  script.machine.tells_steps = true;
  const double at = between(rng, 0.1, 0.4) * script.machine.seconds;
  script.machine.seconds += 240;
  const double power = between(rng, 0.15, 0.35);
  script.changes.push_back([=](Now& now) {
    if (now.t < at) return;
    constexpr double kForever = 1e9;
    now.work.step = kForever;
    now.work.busy = 1;
    now.work.sm = 0.02;
    now.work.tensor = now.work.dram = now.work.memory_busy = 0;
    now.work.power = power;
    now.work.main_thread = 1;
  });
  return script;
}

// The loop waits for a batch that does not come: a worker of its loader died. Its GPUs do nothing.
Script waits_for_ever(Rng& rng) {
  Script script = draw_training(rng);
  script.machine.tells_steps = true;
  const double at = between(rng, 0.1, 0.4) * script.machine.seconds;
  script.machine.seconds += 300;
  script.changes.push_back([=](Now& now) {
    if (now.t < at) return;
    constexpr double kForever = 1e9;
    now.work.step = kForever;
    now.work.busy = 1;
    now.work.main_thread = now.work.worker_cpu = 0;
    for (GpuState& gpu : now.gpus) gpu.busy = 0;
  });
  return script;
}

Script tells_an_xid(Rng& rng) {
  constexpr int kXids[] = {13, 31, 43, 48, 61, 62, 63, 64, 74, 92, 94, 95, 119, 120, 999};
  const std::string xid = std::to_string(kXids[rng.below(15)]);
  return with_one_gpu(rng, [=](GpuState& gpu) { gpu.xids[xid] = 1; });
}

Script has_memory_errors(Rng& rng) {
  const int errors = integer_between(rng, 1, 5);
  const bool before = chance(rng, 0.3);  // some stand from before
  Script script =
      with_one_gpu(rng, [=](GpuState& gpu) { gpu.uncorrected = (before ? 3 : 0) + errors; });
  if (!before) return script;
  script.changes.insert(script.changes.begin(), [](Now& now) {
    for (GpuState& gpu : now.gpus) gpu.uncorrected = 3;
  });
  return script;
}

Script needs_a_reset(Rng& rng) {
  return with_one_gpu(rng, [](GpuState& gpu) { gpu.remap_pending = true; });
}

Script is_lost(Rng& rng) {
  const bool tells = chance(rng, 0.5);
  return with_one_gpu(rng, [=](GpuState& gpu) {
    gpu.up = false;
    if (tells) gpu.xids["79"] = 1;
  });
}

Script has_a_slow_link(Rng& rng) {
  const bool narrower = chance(rng, 0.5);
  const int shift = integer_between(rng, 1, 3);
  return with_one_gpu(rng, [=](GpuState& gpu) {
    if (narrower) {
      gpu.link_width >>= shift;
    } else {
      gpu.link_generation -= shift;
    }
  });
}

Script sends_again(Rng& rng) {
  Script script = draw_training(rng);
  const Onset onset = draw_onset(rng, script);
  const double a_second = between(rng, 15, 100);
  script.changes.push_back([=](Now& now) {
    if (now.t < onset.at) return;
    now.gpus[onset.gpu].replays = static_cast<int64_t>(a_second * (now.t - onset.at));
  });
  return script;
}

}  // namespace

std::vector<Family> fault_families() {
  using enum Nature;
  return {
      {"one GPU is hot", faulty, {"monitor.thermal"}, is_hot},
      {"one GPU is braked by the hardware", faulty, {"monitor.hardware-slowdown"}, is_braked},
      {"power limit that costs", faulty, {"monitor.power-cap"}, has_a_low_limit},
      {"one GPU of several is slow", faulty, {"monitor.straggler"}, straggles},
      {"a rank hangs in a collective", faulty, {"monitor.stalled"}, hangs_in_a_collective},
      {"a training waits for ever", faulty, {"monitor.no-steps"}, waits_for_ever},
      {"XID", faulty, {"monitor.xid"}, tells_an_xid},
      {"errors of memory", faulty, {"monitor.ecc"}, has_memory_errors},
      {"a row waits to be replaced", faulty, {"monitor.remap-pending"}, needs_a_reset},
      {"GPU is lost", faulty, {"monitor.gpu-down"}, is_lost},
      {"PCIe link slower than it was", faulty, {"monitor.pcie-link"}, has_a_slow_link},
      {"PCIe replays", faulty, {"monitor.pcie-replays"}, sends_again},
  };
}

}  // namespace batchscope::monitor_scenes
