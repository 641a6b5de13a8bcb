#pragma once

#include <vector>

#include "batchscope/schema/finding.hpp"

namespace batchscope::analyze {

// Nobody can follow "use batch 8" beside "avoid batch 8": what is recommended, because nothing else
// that may be used is faster, is no longer to be avoided by what its finding says to do.
void reconcile(const std::vector<schema::Recommendation>& picks,
               std::vector<schema::Finding>& findings);

}  // namespace batchscope::analyze
