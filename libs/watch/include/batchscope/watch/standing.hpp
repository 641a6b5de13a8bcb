#pragma once

#include <cstdint>
#include <optional>

#include "batchscope/findings/finding.hpp"

namespace batchscope::watch {

// A finding for as long as it stands. Times are those of the samples.
struct Standing {
  findings::Finding finding;  // as it was last seen; its place has the time at which it began
  int64_t since_ns = 0;       // when its condition began to hold
  std::optional<int64_t> ended_ns{};
};

// Whether it weighs at least as much now as it did: by its severity, then by its first number where
// that is a share. While a window empties of what was wrong, it seems to be less.
bool is_no_better(const findings::Finding& now, const findings::Finding& before);

}  // namespace batchscope::watch
