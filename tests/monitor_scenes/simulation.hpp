#pragma once

#include <cstdint>
#include <functional>

#include "batchscope/telemetry/sample.hpp"
#include "monitor_scenes/script.hpp"

namespace batchscope::monitor_scenes {

struct Listener {
  std::function<void(const telemetry::Sample&)> sample;
  std::function<void(const telemetry::TrainingStep&)> step;
};

// Plays the scene from its beginning to its end, with noise that resembles itself from sample to
// sample, spikes, and readings that fail.
void play(const Script& script, uint64_t seed, const Listener& listener);

}  // namespace batchscope::monitor_scenes
