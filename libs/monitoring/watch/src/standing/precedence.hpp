#pragma once

#include <string_view>

#include "candidate.hpp"

namespace batchscope::watch {

// Leaves out what another candidate explains, or makes meaningless.
void supersede(Candidates& candidates);
// Whether both say why one GPU is not used well, so that only one of them stands.
bool are_alternatives(std::string_view id, std::string_view other);
// Of what is equally severe the lowest comes first: what breaks, then what explains, then hints.
int rank_of(std::string_view id);

}  // namespace batchscope::watch
