#pragma once

#include <string>
#include <vector>

#include "batchscope/findings/trend.hpp"
#include "batchscope/tables/run_view.hpp"
#include "batchscope/tables/test_options.hpp"

namespace batchscope::compare {

// How the typical time of each configuration went over runs, with the changes that are shown
// (find_change_points, on ln of the times). A run is the unit: how far visits scatter within a run
// does not enter. Machines are told apart by what they have, not by their names. All series are one
// family: each has its share of the error rate, and all intervals hold together at options.level.
// `views` in the order of their making, `labels` one for each.
findings::Trend trend_of(const std::vector<tables::RunView>& views,
                         const std::vector<std::string>& labels,
                         const tables::TestOptions& options = {});

}  // namespace batchscope::compare
