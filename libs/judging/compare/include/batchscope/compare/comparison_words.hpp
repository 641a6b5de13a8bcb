#pragma once

#include <span>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::compare {

// What the significant ones say, and those that slow visits decide, a sentence for each contrast of
// two values: a value that is faster, or slower, at several batch sizes is told once, with the
// range over the others.
std::vector<std::string> comparisons_in_short(std::span<const findings::Comparison> comparisons);

}  // namespace batchscope::compare
