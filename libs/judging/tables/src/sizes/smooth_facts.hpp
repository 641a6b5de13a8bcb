#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "batchscope/tables/run_view.hpp"
#include "batchscope/tables/test_options.hpp"
#include "claims/claims.hpp"

namespace batchscope::tables {

// Fills what a table says as a whole: the sizes set aside, best sizes, knee, saturation, good
// sizes, the law, the sizes that would settle what is open, and the departure verdict. The rows are
// there.
void fill_smooth_facts(const RunView& view, const GroupData& data, const GroupClaims& claims,
                       const TestOptions& options, findings::Group& group);

// Sizes between and beside those whose verdict is open, at most 4, ascending; empty when nothing
// is.
std::vector<int64_t> suggested_controls(const GroupClaims& claims);

// The law of the sizes that do not depart, with the largest error over all sizes when each is left
// out of the fit.
std::optional<findings::TimeLaw> law_of(const findings::Group& group, const GroupClaims& claims);

}  // namespace batchscope::tables
