#pragma once

#include <string>
#include <vector>

#include "batchscope/document/document.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

// One item a finding: severity, status and sentence (behind its place where that is not in a run),
// then evidence, cause, gain, what to do. All that are proven, and the first twelve suspicions with
// the number of the others and where they are.
document::List findings_list(const std::vector<findings::Finding>& findings);

// "2.0 times", "31250 an iteration", "12 % [10 %, 14 %]": the metric and its value.
std::string evidence_in_words(const findings::Finding& finding, const findings::Evidence& evidence);
// Where there is no finding: that no size stands out, or that none could.
std::string no_outliers(const findings::Summary& summary);
// Whether the finding is about a cause, and not about a batch size.
bool is_cause(const findings::Finding& finding);

}  // namespace batchscope::report
