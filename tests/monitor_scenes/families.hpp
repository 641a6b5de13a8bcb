#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "monitor_scenes/script.hpp"

namespace batchscope::stats {
class Rng;
}

namespace batchscope::monitor_scenes {

enum class Nature { faulty, healthy, marginal };

// Scenes of one kind, whose numbers are drawn.
struct Family {
  std::string_view name;
  Nature nature = Nature::healthy;
  std::vector<std::string_view> right;  // findings that name what is the matter; any of them does
  Script (*draw)(stats::Rng& rng) = nullptr;
};

// All of them: use, memory, faults, healthy machines, and what is near a threshold.
const std::vector<Family>& families();

std::vector<Family> use_families();
std::vector<Family> memory_families();
std::vector<Family> fault_families();
std::vector<Family> healthy_families();
std::vector<Family> marginal_families();

// What is drawn for every scene: a machine, what can be seen of it, and a healthy training.
Script draw_training(stats::Rng& rng);
// With as many GPUs, and CPUs for the threads that they need.
void set_gpus(stats::Rng& rng, int gpus, Script& script);
double between(stats::Rng& rng, double low, double high);
int integer_between(stats::Rng& rng, int low, int high);  // both included
bool chance(stats::Rng& rng, double probability);

}  // namespace batchscope::monitor_scenes
