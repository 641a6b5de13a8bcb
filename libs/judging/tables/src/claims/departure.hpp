#pragma once

#include <limits>
#include <vector>

#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/tables/block_table.hpp"
#include "law_prediction.hpp"

namespace batchscope::tables {

struct DepartureOptions {
  double alpha = 0.05;
  double delta = 0.03;  // a ratio: departures up to here are the law's own imprecision
  stats::Method method = stats::kDefaultMethod;
};

// One size that the law of the others does not explain.
struct DepartureMember {
  std::size_t size_index = 0;
  stats::MeanEstimate excess;  // ln(time / what the law of the other sizes says); > 0: slower
  double p = 1;                // of |excess| <= ln(1 + delta)
  // Nothing but members on one side of it: at an end of the sizes, where a change of regime
  // explains the times as well as an odd size does, and only more sizes can tell.
  bool at_end = false;
  // Away from the ends; and, where the set has members at an end too, found again without these.
  bool provable = false;
};

// A set of sizes without which one law explains the rest.
struct DepartureSet {
  std::vector<DepartureMember> members;
  // The largest p of the members, by their two-sided intervals: below the level of a claim none of
  // these reaches into +-ln(1 + delta). Not corrected for `choices`.
  double largest_p = 0;
  bool at_end = false;  // all of its members are
};

enum class DepartureOutcome {
  untestable,  // fewer than 4 sizes, more than kMaxSizes, or no block
  one_law,     // nothing departs
  departs,     // exactly one smallest set
  one_of,      // several smallest sets: which of them cannot be told
  no_law,      // no set of at most (sizes - 2) / 2 sizes: nothing can be said
};

struct Departure {
  DepartureOutcome outcome = DepartureOutcome::untestable;
  CurveLaw law = CurveLaw::affine;  // that explains the rest
  // The accepted sets. For one_law: where only a law with a bend explains all sizes, the sets at an
  // end without which a straight line does (see at_end), else empty.
  std::vector<DepartureSet> sets;
  // How many sets of that many sizes there are: the accepted one was chosen among them, so its
  // members are tested at 1 / choices of the level.
  double choices = 1;
  // The smallest level at which this outcome would still be claimed: the largest p of the sets that
  // had to be rejected and, times `choices`, of the members of the accepted sets.
  double p = 1;
  std::size_t n_blocks = 0;
};

// One smallest set, of which something can be proven.
bool is_claim(const Departure& departure);
// The same, and nothing of it is open: no size at an end.
bool is_settled(const Departure& departure);

// Looks for the smallest set of sizes whose removal leaves the rest consistent with one law
// (docs/design/method.md, section 3). With a single block nothing is tested: differences beyond
// delta count as they stand.
Departure find_departure(const BlockTable& table, const DepartureOptions& options);

// What another reading of the same visits says of the members that can be proven: the smallest
// level at which all of them depart the same way, from the same law of the same sizes, chosen among
// as many. 1 where one does not. `table` has the columns that `departure` was found in.
double p_again(const Departure& departure, const BlockTable& table,
               const DepartureOptions& options);

// ln(time / line through the neighbours) of the sizes between two others, where it is beyond delta:
// what looks odd when no law fits. For suspicions only.
std::vector<DepartureMember> odd_neighbours(const BlockTable& table,
                                            const DepartureOptions& options);

}  // namespace batchscope::tables
