#pragma once

#include <cstdint>
#include <optional>

#include "batchscope/findings/finding.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::analyze {

// What the settings of a configuration's optimizer are to become where a step took `from` samples
// before (docs/design/method.md, section 7). Absent where nothing trains, the samples of a step
// stay the same, or nothing is known of the optimizer.
std::optional<findings::Finding> learning_rate_finding(const schema::RunConfig& config,
                                                       int64_t from);

// The samples that a step took before: those of `baseline`, or where the current batch size is
// another (it could not be measured), as many of its batches.
int64_t samples_before(const schema::RunConfig& baseline, std::optional<int64_t> current);

}  // namespace batchscope::analyze
