#pragma once

#include <span>
#include <string>
#include <vector>

#include "signals.hpp"

namespace batchscope::watch {

// Why a GPU that is used is not busy, by what else is seen.
struct LowUseCause {
  const Kind* kind = nullptr;
  std::string because;  // "its 8 workers use 96 % of a CPU each"; empty: nothing explains it
  std::string fix;
  findings::Status status = findings::Status::suspected;
  std::vector<findings::Evidence> evidence;
  bool waits_for_data = false;  // which no service does that has nothing to do
  bool writes = false;          // files, not reads them
};

// Of a GPU that is used, busy for less of the time: most is lost.
inline constexpr double kMostIsLost = 0.40;

// In the order in which they are asked for.
std::span<const Kind* const> low_use_kinds();

const Kind& kind_of_low_use(std::span<const double> signals, const Targets& targets);
// How a kind is told with such numbers.
LowUseCause reported_low_use(const Kind& kind, std::span<const double> signals,
                             const Targets& targets);

}  // namespace batchscope::watch
