#pragma once

#include "batchscope/base/subject.hpp"
#include "batchscope/schema/summary.hpp"

namespace batchscope::analyze {

// What a build server asks of an analysis. The gate on regressions needs the visits:
// Options::regression_margin adds it to Summary::gates.

// Whether every run reached the precision it was asked for; false where that cannot be told.
bool is_precise(const schema::Summary& summary);

// The same as a gate, with a check for each run.
schema::Gate precision_gate(const schema::Summary& summary,
                            base::Spelling spelling = base::name_of);

// Fails where any finding is at least this severe: a check for each of them, or one that passes.
// What is only suspected has severity info; what is faster than the other sizes suggest does not
// count.
schema::Gate finding_gate(const schema::Summary& summary, schema::Severity severity);

}  // namespace batchscope::analyze
