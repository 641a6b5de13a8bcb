#pragma once

#include <vector>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/tables/run_view.hpp"
#include "batchscope/timing/visits.hpp"

namespace batchscope::tables {

// The visits of a configuration for one use, without their warm-up.
timing::WarmVisits visits_of(const RunView& view, const schema::RunConfig& config, timing::Use use);

// Two configurations visited in the same blocks, without the longer warm-up of both.
struct PairedVisits {
  std::vector<double> contrasts;  // ln(time of a) - ln(time of b), a block each
  std::vector<int> blocks;        // of `contrasts`
  std::vector<const schema::Visit*> b;
};

PairedVisits pair_visits(const RunView& view, const schema::RunConfig& a,
                         const schema::RunConfig& b, timing::Use use, timing::TimeOfVisit time);

}  // namespace batchscope::tables
