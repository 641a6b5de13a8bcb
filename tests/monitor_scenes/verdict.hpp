#pragma once

#include <cstdint>
#include <string>

#include "monitor_scenes/families.hpp"

namespace batchscope::monitor_scenes {

struct Verdict {
  bool right = false;
  std::string reported;  // what stood at the end, and of a healthy scene what should not have
};

// Watches the scene of that seed to its end. A fault is named where the first finding of those that
// stand in the end is one of the right ones; a healthy scene is called so where none of medium or
// high severity ever stood; a marginal one where the first is a right one, or none of these
// severities ever stood.
Verdict judge(const Family& family, uint64_t seed);

}  // namespace batchscope::monitor_scenes
