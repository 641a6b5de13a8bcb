#pragma once

#include <span>

#include "batchscope/analyze/catalogue.hpp"

namespace batchscope::analyze {

// The catalogue's part on causes.
std::span<const FindingKind> cause_kinds();

}  // namespace batchscope::analyze
