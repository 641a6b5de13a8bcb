#pragma once

#include <cstdint>

#include "random.hpp"
#include "simulation.hpp"

namespace batchscope::trace_simulator {

// Which records of what devices did a recorder loses.
enum class Loss : uint8_t {
  none,
  some,    // of some launches
  run,     // of all launches for a while: a buffer was dropped
  graphs,  // of all graphs
  end,     // of all that runs from some time on
  begin,   // of all that runs until some time
  time,    // their times, of some
};
inline constexpr int kLosses = 7;

// All that one call started is lost together, and something of each device is kept.
void lose(Loss loss, Random& random, Timeline& line);

}  // namespace batchscope::trace_simulator
