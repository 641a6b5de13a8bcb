#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "facts.hpp"

namespace batchscope::watch {

// Why a GPU that is used is not busy, by what else is seen.
struct LowUseCause {
  std::string_view id;
  std::string because;  // "its 8 workers use 96 % of a CPU each"; empty: nothing explains it
  std::string fix;
  findings::Status status = findings::Status::suspected;
  std::vector<findings::Evidence> evidence;
  bool writes = false;  // files, not reads them
};

// What is seen in the window beside the GPU's own busy time, as numbers whose means over time say
// the same of all of it.
std::vector<double> signals_of_low_use(const GpuState& gpu, const Facts& facts);
std::string_view kind_of_low_use(std::span<const double> signals, const Targets& targets);
// How a kind is told with such numbers.
LowUseCause told_low_use(std::string_view id, std::span<const double> signals,
                         const Targets& targets);

}  // namespace batchscope::watch
