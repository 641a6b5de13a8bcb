#pragma once

#include <string>
#include <vector>

#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/tables/block_table.hpp"
#include "batchscope/tables/split_search.hpp"

namespace batchscope::tables {

// Beyond this batch size the search over all splits would take too long; no such batch is known.
inline constexpr int64_t kLargestBatch = 1 << 20;

struct DominanceOptions {
  double delta = 0.03;
  stats::Method method = stats::kDefaultMethod;
};

// "Running `size` costs more than running it split", to be tested.
struct DominanceClaim {
  std::size_t size_index = 0;
  Split split;  // chosen on the odd blocks
  // ln(time / time of the split), on the even blocks: data the choice has not seen. Over a single
  // block when there is no more: then se is 0 and nothing is tested.
  stats::MeanEstimate excess;
  double p = 1;              // of excess <= ln(1 + delta)
  std::size_t n_blocks = 0;  // complete blocks, odd and even
};

// A claim for each size whose cheapest split looks better by more than delta on the odd complete
// blocks. Those left out need no test: which sizes are tested depends on the odd blocks alone, so
// the family of the tests on the even ones is fixed before these are looked at.
std::vector<DominanceClaim> dominance_claims(const BlockTable& table,
                                             const DominanceOptions& options);

// The p of the same claim, of the same split on the same blocks, by another reading of the visits.
double p_again(const DominanceClaim& claim, const BlockTable& table,
               const DominanceOptions& options);

// The p of the same claim on all complete blocks of a table, but for one accident in a dozen. The
// blocks that it was chosen on are among them: for use beside a test that has not seen them, where
// visits fall into two groups, which six blocks may not show.
double p_of_all_blocks(const DominanceClaim& claim, const BlockTable& table,
                       const DominanceOptions& options);

// ln(time of the size / time of the split) in each block that holds the size and all parts.
std::vector<double> excess_over_split(const BlockTable& table, std::size_t size_index,
                                      const Split& split);

// What a user reads: "4 + 4", and of more than three alike "128 x 1".
std::string describe(const Split& split);

}  // namespace batchscope::tables
