#pragma once

#include <vector>

#include "batchscope/schema/summary.hpp"
#include "claims.hpp"

namespace batchscope::analyze {

// What the tests of one table found, in words with their evidence; `rows` are the table's.
std::vector<schema::Finding> findings_of(const GroupClaims& claims, const RunView& view,
                                         const schema::Group& group, const Options& options);

// "one law fits all sizes", "4 departs", "one of 2, 4", "no law fits", "untestable".
std::string departure_words(const GroupClaims& claims);

}  // namespace batchscope::analyze
