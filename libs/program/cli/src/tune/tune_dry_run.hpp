#pragma once

#include <string>

#include "batchscope/measure/session.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::cli {

// What `tune` would do: the grid, how many of its points are measured at most, and for how long.
std::string tune_grid_text(const measure::Job& job, const tune::TunePlan& plan);
std::string tune_grid_json(const measure::Job& job, const tune::TunePlan& plan);

}  // namespace batchscope::cli
