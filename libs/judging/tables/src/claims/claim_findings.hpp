#pragma once

#include <vector>

#include "batchscope/findings/summary.hpp"
#include "claims.hpp"

namespace batchscope::tables {

// What the tests of one table found, in words with their evidence; `rows` are the table's.
std::vector<findings::Finding> findings_of(const GroupClaims& claims, const RunView& view,
                                           const findings::Group& group,
                                           const TestOptions& options);

// "one law fits all sizes", "4 departs", "one of 2, 4", "no law fits", "untestable".
std::string departure_words(const GroupClaims& claims);

}  // namespace batchscope::tables
