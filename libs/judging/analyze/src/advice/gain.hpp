#pragma once

#include <optional>

#include "batchscope/analyze/analyze.hpp"
#include "choice.hpp"

namespace batchscope::analyze {

// What the gain of the best-looking configuration over the baseline says.
enum class GainVerdict {
  shown,      // above no gain, and worth having; or of single numbers, which show nothing
  too_small,  // less than what matters (Options::practical)
  open,       // its interval holds no gain: it cannot be told from the baseline
};

struct Gain {
  findings::Estimate estimate;  // throughput of the one over that of the other, less 1
  double level = 0.95;          // of its interval
  GainVerdict verdict = GainVerdict::shown;
  // Where it is open, or not shown to be too small: about as many blocks as would tell, at the
  // scatter seen; absent: more than anybody measures.
  std::optional<int> blocks_needed;
  bool needs_longer_visits = false;  // open for what these visits have not seen alone
};

// Of ratios of throughput within at least 1 block. The best of `candidates` looks better than
// it is, so the interval, by Student's t, is at the level of the options after Bonferroni's
// correction: 1 - (1 - level) / candidates; and it allows for what the visits have not seen. The
// blocks needed are those that would
// tell (timing::blocks_that_would_tell).
Gain gain_of(const RateContrast& contrast, std::size_t candidates, const Options& options);

}  // namespace batchscope::analyze
