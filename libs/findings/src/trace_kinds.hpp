#pragma once

#include <span>

#include "batchscope/findings/catalogue.hpp"

namespace batchscope::findings {

// The catalogue's part on traces that others recorded.
std::span<const FindingKind> trace_kinds();

}  // namespace batchscope::findings
