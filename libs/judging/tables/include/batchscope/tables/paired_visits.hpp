#pragma once

#include <vector>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/tables/run_view.hpp"
#include "batchscope/timing/contrasted.hpp"
#include "batchscope/timing/visits.hpp"

namespace batchscope::tables {

// The visits of a configuration for one use, without their warm-up.
timing::WarmVisits visits_of(const RunView& view, const schema::RunConfig& config, timing::Use use);

// Two configurations visited in the same blocks, cut as timing::contrasted_visits() has it.
struct PairedVisits {
  std::vector<double> contrasts;  // ln(time of a) - ln(time of b), a block each
  std::vector<int> blocks;        // of `contrasts`
  std::vector<const schema::Visit*> b;
  timing::Unseen unseen{};  // of the ratio, where its times are means
  bool settled = true;      // false: nothing is proven by them, and nothing refuted
  bool warming = false;     // there would be enough, were it not for their warm-up
};

PairedVisits pair_visits(const RunView& view, const schema::RunConfig& a,
                         const schema::RunConfig& b, timing::Use use, timing::TimeOfVisit time);

}  // namespace batchscope::tables
