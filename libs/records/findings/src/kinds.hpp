#pragma once

#include <span>

#include "batchscope/findings/catalogue.hpp"

namespace batchscope::findings {

std::span<const Metric> metrics_of_others();

// The catalogue's part on causes.
std::span<const KindRow<>> cause_kinds();

// The catalogue's part on traces that others recorded.
std::span<const KindRow<>> trace_kinds();

}  // namespace batchscope::findings
