#pragma once

#include <cstdint>
#include <optional>

namespace batchscope::host {

// What a counter went up by. Absent where it fell: it wrapped or began anew, and what came before
// that is not known.
inline std::optional<int64_t> rise(int64_t before, int64_t now) {
  if (before < 0 || now < before) return std::nullopt;
  return now - before;
}

}  // namespace batchscope::host
