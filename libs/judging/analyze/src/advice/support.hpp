#pragma once

#include <optional>

#include "choice.hpp"
#include "gain.hpp"

namespace batchscope::analyze {

// What the tests of the run show of a pick, and where none of the others is told apart from it, how
// much better the best of them may be.
struct Supported {
  findings::Support support = findings::Support::unconfirmed_best;
  std::optional<findings::Estimate> open_gain{};
  std::optional<int> blocks_needed{};
  bool needs_longer_visits = false;  // more of them would not tell
};

// `gain`: over the baseline, where the pick is another. Of a pick that is the baseline, or whose
// baseline is no alternative, that nothing else is better by what matters
// (Options::practical) is what has to be shown.
Supported support_of(const Choice& choice, const Pick& pick, const std::optional<Gain>& gain);

}  // namespace batchscope::analyze
