#pragma once

#include "rule_hit.hpp"

namespace batchscope::watch {

// Leaves out what another candidate explains, or makes meaningless.
void supersede(RuleHits& candidates);
// Whether both say why one GPU is not used well, so that only one of them stands.
bool are_alternatives(const Kind& kind, const Kind& other);

}  // namespace batchscope::watch
