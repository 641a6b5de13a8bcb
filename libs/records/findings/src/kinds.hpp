#pragma once

#include <span>

#include "batchscope/findings/catalogue.hpp"

namespace batchscope::findings {

// The catalogue's part on causes.
std::span<const FindingKind> cause_kinds();

// Of machines that are watched.
std::span<const FindingKind> monitor_kinds();

// The catalogue's part on traces that others recorded.
std::span<const FindingKind> trace_kinds();

// The catalogue's part on the steps of training loops.
std::span<const FindingKind> training_kinds();

}  // namespace batchscope::findings
