#pragma once

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

LowUseCause cause_of_low_use(const GpuState& gpu, const Facts& facts);

}  // namespace batchscope::watch
