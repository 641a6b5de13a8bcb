#pragma once

#include "batchscope/base/subject.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::analyze {

// Spells what the texts of a summary mention, once all of them are made.
void spell_texts(findings::Summary& summary, base::Spelling spelling);

}  // namespace batchscope::analyze
