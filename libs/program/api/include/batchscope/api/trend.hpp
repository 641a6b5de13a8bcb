#pragma once

#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/findings/trend.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::api {

// A run with what it is called in a trend, such as the commit that it measured.
struct LabelledRun {
  std::string label{};
  schema::RunFile run{};
};

// How times went over runs, in the order in which these were made, and where they changed. Errors:
// usage (no run).
base::Result<findings::Trend> trend(std::vector<LabelledRun> runs, double level = 0.95);

}  // namespace batchscope::api
