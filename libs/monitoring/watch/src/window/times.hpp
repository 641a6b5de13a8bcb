#pragma once

#include <cstdint>

namespace batchscope::watch {

// Logs hold any times, and their difference may be no 64-bit number.
inline double seconds_between(int64_t from_ns, int64_t to_ns) {
  return (static_cast<double>(to_ns) - static_cast<double>(from_ns)) / 1e9;
}

}  // namespace batchscope::watch
