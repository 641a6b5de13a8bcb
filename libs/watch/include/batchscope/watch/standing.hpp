#pragma once

#include <cstdint>
#include <optional>

#include "batchscope/findings/finding.hpp"

namespace batchscope::watch {

// A finding, and while it held.
struct Standing {
  findings::Finding finding;
  int64_t since_ns = 0;             // as Sample::time_ns
  std::optional<int64_t> ended_ns;  // absent: it still stood at the last sample
};

}  // namespace batchscope::watch
