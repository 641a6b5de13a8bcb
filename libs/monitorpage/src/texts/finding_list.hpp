#pragma once

#include <vector>

#include "batchscope/document/document.hpp"
#include "texts/words.hpp"

namespace batchscope::monitorpage {

// What is told of a finding beside what it is: when, where, on what grounds, why, what to do.
std::vector<document::Field> finding_fields(const watch::Standing& standing,
                                            const Recorded& recorded);
// An item each, with all of it.
document::List finding_list(const std::vector<watch::Standing>& standings,
                            const Recorded& recorded);

}  // namespace batchscope::monitorpage
