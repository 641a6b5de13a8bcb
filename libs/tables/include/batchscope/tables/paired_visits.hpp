#pragma once

#include <map>
#include <vector>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::tables {

// The visits of a configuration that were made for one purpose, by block; latest attempts only.
std::map<int, const schema::Visit*> visits_of(const schema::RunFile& run,
                                              const schema::RunConfig& config,
                                              schema::Purpose purpose);

// ln of a visit's typical iteration, and of its mean one (work over time), ns.
double log_typical_ns(const schema::Visit& visit, const RunView& view);
double log_mean_ns(const schema::Visit& visit, const RunView& view);
using LogTime = double (*)(const schema::Visit&, const RunView&);

// Two configurations visited in the same blocks.
struct PairedVisits {
  std::vector<double> contrasts;  // ln(time of a) - ln(time of b), a block each
  std::vector<int> blocks;        // of `contrasts`
  std::vector<const schema::Visit*> b;
};

PairedVisits pair_visits(const RunView& view, const schema::RunConfig& a,
                         const schema::RunConfig& b, schema::Purpose purpose, LogTime log_time);

}  // namespace batchscope::tables
