#pragma once

#include <cstdint>
#include <vector>

#include "simulation.hpp"

namespace batchscope::trace_simulator {

// Time of the recorded steps that tells nothing of a usual one:
//   a first step that takes at least three times the median of the others, half of what it takes
//   longer at least for compiling, capturing or loading
//   a step that has less than a twentieth of the recorded work of a usual one; from where the
//   devices are done with what they do in it the longest time between two steps without a record,
//   of at least the median step and ten times what usually lies between steps
struct Uncounted {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
};

// In the order of time; of a program with one loop.
std::vector<Uncounted> uncounted_of(const Timeline& line);

}  // namespace batchscope::trace_simulator
