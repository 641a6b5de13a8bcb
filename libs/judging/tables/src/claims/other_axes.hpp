#pragma once

#include <vector>

#include "batchscope/findings/summary.hpp"
#include "claims.hpp"

namespace batchscope::tables {

// Adds to each finding of a table whether the tables that differ from it in one axis, and hold the
// same batch size, show it too, or could not have. `group_of[i]` is the table of findings[i];
// `groups` and `claims` have one entry a table.
void tell_of_other_axes(std::vector<findings::Finding>& findings,
                        const std::vector<std::size_t>& group_of,
                        const std::vector<findings::Group>& groups,
                        const std::vector<GroupClaims>& claims);

}  // namespace batchscope::tables
