#pragma once

#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::findings {

// Which of several tables a finding or a configuration is about.

// In a trace, or in what a monitor saw: no table has it.
bool is_outside_a_run(const Finding& finding);

// The table that a finding is about, where there are several and only one can be meant.
std::string label_of(const Finding& finding, const std::vector<Group>& groups);

// The findings about this group, in their order: all when it is the only one, else those about one
// of its configurations; none when another group has the same key (the same sweep in another run
// file), because a finding does not say which of the two it means.
std::vector<Finding> findings_of(const Group& group, const Summary& summary);
// Those that findings_of gives to no group.
std::vector<Finding> findings_elsewhere(const Summary& summary);

// The first row of the configuration, whichever table has it; null: none.
const ConfigRow* row_of(const schema::RunConfig& config, const Summary& summary);

}  // namespace batchscope::findings
