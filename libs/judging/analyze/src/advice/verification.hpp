#pragma once

#include <string>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::analyze {

// Holds a recommendation against the visits of purpose `verify`, which took no part in choosing it:
// the best of many sizes looks better than it is. Verified when they show more throughput than the
// baseline, if there is one, by Student's interval of their mean iterations and by the one of
// trimmed means both, and when the upper end of the interval of their time keeps the latency
// budget, if there is one (at the level of the options, at least 6 visits of each). Withdrawn when
// either interval excludes any gain that matters (Options::practical), when Student's excludes the
// gain it was chosen for and no gain is shown, and when their typical time is above the budget; in
// between it is neither. A baseline that the bounds rule out
// (`baseline_fits` false) is no alternative: then only the budget counts. Without such visits the
// pick stays as it is. Returns what is to be added to the words of a pick that stays.
std::string verify(findings::Recommendation& pick, bool baseline_fits, const tables::RunView& view,
                   const Options& options);

}  // namespace batchscope::analyze
