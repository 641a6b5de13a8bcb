#pragma once

#include <string>

#include "sides.hpp"

namespace batchscope::advice {

double mean_step(const Side& side);

// What the medians of the steps do not tell: one step alone, steps far out on one side, a median
// that no step takes, means that say something else. Sentences, each behind a space.
std::string step_notes(const Side& before, const Side& after);

}  // namespace batchscope::advice
