#pragma once

#include <vector>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::analyze {

// What leads every format: made last, of all else that the summary says. Several runs, and one that
// compares models or engines, are answered by their comparison, all others by the setting to use.
findings::Answer answer_of(const std::vector<tables::RunView>& views,
                           const findings::Summary& summary, const Options& options);

}  // namespace batchscope::analyze
