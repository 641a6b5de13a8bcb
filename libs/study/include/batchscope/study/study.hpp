#pragma once

#include "batchscope/base/result.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::study {

// What to do about verdicts that the measured batch sizes leave ambiguous.
struct Controls {
  bool automatic = false;  // measure the control sizes that the analysis proposes
  int blocks = 12;         // of that stage: what a claim of dominance needs
  double budget_s = 600;   // wall time of that stage
};

// A whole study: the session's main part, then, where asked for and needed, one stage in which the
// proposed control sizes are measured beside all sizes of their table, then the end record. Errors:
// the session's.
base::Result<schema::End> run(measure::Session& session, const Controls& controls);

}  // namespace batchscope::study
