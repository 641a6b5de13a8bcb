#pragma once

#include <string>

#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

// Findings as cards, one for each place that they are about, with a small chart of its table; their
// names lead to explanations(). Causes have a section of their own.
std::string finding_cards(const findings::Summary& summary);

}  // namespace batchscope::report
