#pragma once

#include <string>
#include <vector>

#include "batchscope/base/subject.hpp"
#include "batchscope/findings/summary.hpp"
#include "document/document.hpp"

namespace batchscope::report {

// One item a finding: severity, status and sentence (behind its place where that is not in a run),
// then evidence, cause, gain, what to do. All that are proven, and the first twelve suspicions with
// the number of the others and where they are.
List findings_list(const std::vector<findings::Finding>& findings, base::Spelling spelling);

// "2.0 times", "31250 an iteration", "12 % [10 %, 14 %]": the metric and its value.
std::string evidence_in_words(const findings::Finding& finding, const findings::Evidence& evidence);
// Whether the finding is about a cause, and not about a batch size.
bool is_cause(const findings::Finding& finding);
// The table that a finding is about, where there are several and only one can be meant.
std::string label_of(const findings::Finding& finding, const std::vector<findings::Group>& groups);

// The findings about this group, in their order: all when it is the only one, else those about one
// of its configurations; none when another group has the same key (the same sweep in another run
// file), because a finding does not say which of the two it means.
std::vector<findings::Finding> findings_of(const findings::Group& group,
                                           const findings::Summary& summary);
// Those that findings_of gives to no group.
std::vector<findings::Finding> findings_elsewhere(const findings::Summary& summary);

}  // namespace batchscope::report
