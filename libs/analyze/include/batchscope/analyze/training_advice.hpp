#pragma once

#include <cstdint>
#include <optional>

#include "batchscope/schema/finding.hpp"

namespace batchscope::analyze {

// What the settings of a configuration's optimizer are to become where a step took `from` samples
// before (docs/design/method.md, section 7). Absent where nothing trains, the samples of a step
// stay the same, or nothing is known of the optimizer.
std::optional<schema::Finding> learning_rate_finding(const schema::RunConfig& config, int64_t from);

}  // namespace batchscope::analyze
