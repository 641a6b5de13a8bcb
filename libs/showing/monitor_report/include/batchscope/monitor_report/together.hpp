#pragma once

#include <vector>

#include "batchscope/watch/active_finding.hpp"

namespace batchscope::monitor_report {

// For readers: one finding in place of those that say the same of several GPUs at the same time (to
// half a minute), such as eight that wait for one loader. It is the first of them; its sentence
// names the others, and its numbers are those of all ("GPU 0 (likewise 1 to 7) is busy for 28 to 33
// % ..."), and it lasts from the earliest beginning to the latest end. The order is that of the
// first of each.
std::vector<watch::ActiveFinding> merged_findings(
    const std::vector<watch::ActiveFinding>& findings);

}  // namespace batchscope::monitor_report
