#pragma once

#include <cstddef>
#include <optional>

#include "batchscope/tables/test_options.hpp"

namespace batchscope::compare {

struct ComparisonOptions : tables::TestOptions {
  // Over 0: so many of the first runs are the baseline's, the rest the candidate's, and inference
  // is over runs. `runs_in_pairs`: the k-th of one side was measured with the k-th of the other.
  std::size_t baseline_runs = 0;
  bool runs_in_pairs = false;
  // Adds the gate on regressions, slow-downs of more than this.
  std::optional<double> regression_margin = std::nullopt;
};

}  // namespace batchscope::compare
