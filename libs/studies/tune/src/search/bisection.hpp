#pragma once

#include <cstddef>
#include <optional>

#include "acquisition.hpp"

namespace batchscope::tune {

// A point between two measured sizes of a setting, between which the time jumps.
struct Bisection {
  std::size_t point = 0;
  std::size_t before = 0, after = 0;
  double jump = 0;  // ln of the time at `after` over what the law of the sizes up to `before` says
  double gain = 0;  // expected of measuring `point`, ln units
};

// Where the law of the last few sizes up to one misses the next by more than noise, a step lies
// between the two. Up to it that law holds, wherever it is (any place is as likely in ln size): the
// point that is expected to gain most over the best so far. nullopt where none gains.
std::optional<Bisection> best_bisection(const Knowledge& known, const Acquisition& acquisition);

}  // namespace batchscope::tune
