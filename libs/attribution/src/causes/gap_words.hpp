#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "activity/name_classes.hpp"
#include "batchscope/attribution/attribution.hpp"

namespace batchscope::attribution {

// What a gap lies in: a row of the host, where one is known; and who explains it.
struct Explained {
  std::optional<uint32_t> track;
  uint32_t row = trace::kNone;
};

// Sets the gap's cause, and what the thread did in the longest piece of it. `pieces` are the
// device's, in order.
void describe_gap(const trace::Trace& trace, const std::vector<NameClass>& classes,
                  const Explained& explained, const std::vector<Piece>& pieces, Gap& gap);

// Sets what stands around the row, which the place's time lies in.
void describe_place(const trace::Trace& trace, const std::vector<NameClass>& classes, uint32_t row,
                    Place& place);

}  // namespace batchscope::attribution
