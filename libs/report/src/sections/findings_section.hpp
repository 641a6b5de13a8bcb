#pragma once

#include <string>
#include <vector>

#include "batchscope/schema/summary.hpp"
#include "document/document.hpp"

namespace batchscope::report {

// One item a finding: severity, status and sentence, then evidence, cause, gain, what to do. All
// that are proven, and the first twelve suspicions with the number of the others.
List findings_list(const std::vector<schema::Finding>& findings);

// "2.0 times", "31250 an iteration", "12 % [10 %, 14 %]": the metric and its value.
std::string evidence_in_words(const schema::Finding& finding, const schema::Evidence& evidence);
// Whether the finding is about a cause, and not about a batch size.
bool is_cause(const schema::Finding& finding);
// The table that a finding is about, where there are several and only one can be meant.
std::string label_of(const schema::Finding& finding, const std::vector<schema::Group>& groups);

// The findings about this group, in their order: all when it is the only one, else those about one
// of its configurations; none when another group has the same key (the same sweep in another run
// file), because a finding does not say which of the two it means.
std::vector<schema::Finding> findings_of(const schema::Group& group,
                                         const schema::Summary& summary);
// Those that findings_of gives to no group.
std::vector<schema::Finding> findings_elsewhere(const schema::Summary& summary);

}  // namespace batchscope::report
