#pragma once

#include <cstdint>
#include <vector>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::measure {

// Where a run stands, told from its records alone, so that one that goes on after an interruption
// knows what one without it would know.
struct History {
  std::vector<int> main;      // configurations of the main part
  bool stage_begun = false;   // configurations were added after the main part
  std::vector<int> failures;  // by configuration, in the attempts that count
  int next_block = 0;         // the first that is not complete
  int next_attempt = 0;       // of it: > 0 when it was begun before
  int64_t spent_ns = 0;       // wall time of all visits, failed and superseded ones too
};

// A block of the main part is complete when every one of its configurations was visited, or failed,
// or had been dropped before.
History history_of(const schema::RunFile& run);

}  // namespace batchscope::measure
