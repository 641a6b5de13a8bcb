#pragma once

#include <span>

#include "batchscope/findings/catalogue.hpp"

namespace batchscope::findings {

// The catalogue's part on the steps of training loops.
std::span<const FindingKind> training_kinds();

}  // namespace batchscope::findings
