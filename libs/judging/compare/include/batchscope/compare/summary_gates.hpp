#pragma once

#include "batchscope/findings/summary.hpp"

namespace batchscope::compare {

// Gates that need no more than a finished summary. The one on regressions needs the visits:
// ComparisonOptions::regression_margin adds it to Summary::gates.

// Whether the widest interval of every run is as narrow as was asked for; false
// where that cannot be told.
bool reached_target(const findings::Summary& summary);

// The same as a gate, with a check for each run.
findings::Gate width_gate(const findings::Summary& summary);

// Fails where any finding is at least this severe: a check for each of them, or one that passes.
// What is only suspected has severity info; what is faster than the other sizes suggest does not
// count.
findings::Gate finding_gate(const findings::Summary& summary, findings::Severity severity);

}  // namespace batchscope::compare
