#pragma once

#include <cstdint>
#include <optional>

#include "batchscope/findings/finding.hpp"

namespace batchscope::watch {

// A finding that holds, or held for a while.
struct Standing {
  findings::Finding finding;
  int64_t since_ns = 0;  // as Sample::time_ns
  std::optional<int64_t> ended_ns{};
};

}  // namespace batchscope::watch
