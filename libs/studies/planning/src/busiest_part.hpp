#pragma once

#include <cstddef>

#include "batchscope/planning/arrivals.hpp"

namespace batchscope::planning {

// More requests than these are told by their busiest part while settings are chosen.
inline constexpr std::size_t kLongRecording = 100'000;

// The `count` requests in a row that came within the shortest time; the whole where it has no more,
// or where such a part takes no time at all. `count` >= 2.
RecordedArrivals busiest_part(const RecordedArrivals& recorded, std::size_t count);

}  // namespace batchscope::planning
