#pragma once

#include <optional>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/tune/search.hpp"

namespace batchscope::tune {

// What a visit says to a search: the median of its iterations (of several instances, as
// batchscope::measure has it, the harmonic mean of their medians), the statistic that the goal
// bounds, and the peak memory on the configuration's device. The visit has samples.
Observation observe(const schema::Visit& visit, const schema::RunConfig& config, const Goal& goal);

// What an event says of its configuration; nothing when it is no failure.
std::optional<Failure> failure_of(const schema::Event& event);

}  // namespace batchscope::tune
