#pragma once

#include <span>

#include "batchscope/findings/catalogue.hpp"

namespace batchscope::findings {

// The catalogue's part on causes.
std::span<const FindingKind> cause_kinds();

}  // namespace batchscope::findings
