#pragma once

#include <span>

#include "comparisons/open_comparison.hpp"
#include "planned_pairs.hpp"

namespace batchscope::compare {

// Whether any of the pairs takes over `margin` (0.03 = 3 %) more time; one check a pair.
//
// Every test is made on the trimmed mean and on one of all visits, and holds where both do, so that
// neither a few slow visits nor the trimming of them decides alone:
//   failed        the slow-down exceeds the margin: Holm over all pairs at 1 - options.level; of
//                 all visits one pair in a dozen at either end is an accident (it would hide what
//                 the other eleven show), two are not. Or the configuration was given up here and
//                 ran without a failure on the base's side
//   passed        the one-sided upper bound at options.level is below the margin, accidents
//                 included. The whole passes when all do, which needs no correction (an
//                 intersection-union test, Berger 1982)
//   inconclusive  anything else: also what was not measured, or failed once
// A base that was given up itself leaves nothing to be slower than: passed, and said.
// Pairs without an Open, or with one that may prove nothing (single runs, too few), cannot tell.
findings::Gate regression_gate(std::span<const PlannedPair> planned, std::span<const Open> all,
                               double margin, const tables::TestOptions& options);

}  // namespace batchscope::compare
