#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "activity/name_classes.hpp"
#include "batchscope/attribution/attribution.hpp"

namespace batchscope::attribution {

// Sets the gap's cause, and what that thread did in the longest piece of it. `pieces` are the
// device's, in order.
void describe_gap(const trace::Trace& trace, const std::vector<NameClass>& classes,
                  std::optional<uint32_t> track, const std::vector<Piece>& pieces, Gap& gap);

// Sets what stands around the row, which the place's time lies in.
void describe_place(const trace::Trace& trace, const std::vector<NameClass>& classes, uint32_t row,
                    Place& place);

}  // namespace batchscope::attribution
