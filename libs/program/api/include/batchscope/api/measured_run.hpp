#pragma once

#include "batchscope/schema/run_file.hpp"

namespace batchscope::api {

// A run as it stands in its file, and what became of both.
struct MeasuredRun {
  schema::RunFile run{};      // with its end
  bool was_complete = false;  // nothing was left to measure: it is as it was recorded
  bool kept = true;  // its file is left; of what was interrupted before its first visit none

  bool was_interrupted() const {
    return run.end && run.end->reason == schema::EndReason::interrupted;
  }
};

}  // namespace batchscope::api
