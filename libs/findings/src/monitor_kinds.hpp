#pragma once

#include <span>

#include "batchscope/findings/catalogue.hpp"

namespace batchscope::findings {

// Of machines that are watched.
std::span<const FindingKind> monitor_kinds();

}  // namespace batchscope::findings
