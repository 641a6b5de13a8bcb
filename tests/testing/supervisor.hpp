#pragma once

namespace batchscope::testing {

// Runs the cases in a child, and where one ends the child or takes longer than `limit_s`, the cases
// after it in another. Prints which these were and, last, "cases: N passed, N failed, N skipped".
// Returns what main returns.
int supervise(double limit_s);

}  // namespace batchscope::testing
