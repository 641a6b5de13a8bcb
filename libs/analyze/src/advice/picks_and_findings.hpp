#pragma once

#include <vector>

#include "batchscope/findings/finding.hpp"

namespace batchscope::analyze {

// Nobody can follow "use batch 8" beside "avoid batch 8": what is recommended, because nothing else
// that may be used is faster, is no longer to be avoided by what its finding says to do.
void reconcile(const std::vector<findings::Recommendation>& picks,
               std::vector<findings::Finding>& findings);

}  // namespace batchscope::analyze
