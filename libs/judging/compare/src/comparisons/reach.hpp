#pragma once

#include <optional>
#include <span>

#include "batchscope/findings/summary.hpp"
#include "batchscope/timing/steady_visit.hpp"

namespace batchscope::compare {

// As far as typical visits went of the side that went less far; absent where a side has none, or
// only such as were not measured here.
std::optional<findings::Reach> reach_of(std::span<const timing::WarmVisits> a,
                                        std::span<const timing::WarmVisits> b);

}  // namespace batchscope::compare
