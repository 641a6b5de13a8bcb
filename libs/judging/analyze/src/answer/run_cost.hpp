#pragma once

#include "batchscope/schema/run_file.hpp"

namespace batchscope::analyze {

// What a run would cost once more, s of wall time.
struct RunCost {
  double main_s = 0;  // of the visits that measure; of a search, all
  double all_s = 0;   // with what the same command finds out beside them
};

// In so many blocks (of a search: of its comparison), where a visit is timed for `visit_s` at
// least: by what the run's visits cost. What was not reached yet is taken to cost more by as much
// as its batch is larger.
RunCost cost_again(const schema::RunFile& run, int blocks, double visit_s);

}  // namespace batchscope::analyze
