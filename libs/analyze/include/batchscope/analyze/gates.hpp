#pragma once

#include "batchscope/schema/summary.hpp"

namespace batchscope::analyze {

// What a build server asks of an analysis. The gate on regressions needs the visits:
// Options::regression_margin adds it to Summary::gates.

// Whether any finding is at least this severe. What is only suspected has severity info; what is
// faster than the other sizes suggest does not count.
bool has_finding(const schema::Summary& summary, schema::Severity severity);

// Whether every run reached the precision it was asked for; false where that cannot be told.
bool is_precise(const schema::Summary& summary);

// The same two as gates: a check for each finding that counts, or one that passes; one for each
// run.
schema::Gate finding_gate(const schema::Summary& summary, schema::Severity severity);
schema::Gate precision_gate(const schema::Summary& summary);

}  // namespace batchscope::analyze
