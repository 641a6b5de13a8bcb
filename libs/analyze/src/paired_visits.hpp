#pragma once

#include <map>
#include <vector>

#include "batchscope/schema/run_file.hpp"
#include "run_view.hpp"

namespace batchscope::analyze {

// The visits of a configuration that were made for one purpose, by block; latest attempts only.
std::map<int, const schema::Visit*> visits_of(const schema::RunFile& run,
                                              const schema::RunConfig& config,
                                              schema::Purpose purpose);

// ln of the median of a visit's samples, ns; of several instances, of the harmonic mean of their
// medians.
double log_median_ns(const schema::Visit& visit);
// The same of means, of the iterations that the pooled profile of the run does not count as
// warm-up: work over time, slow iterations and all.
double log_mean_ns(const schema::Visit& visit, const RunView& view);

// Two configurations visited in the same blocks.
struct PairedVisits {
  std::vector<double> contrasts;  // ln(time of a) - ln(time of b), a block each
  std::vector<int> blocks;        // of `contrasts`
  std::vector<const schema::Visit*> b;
};

PairedVisits pair_visits(const schema::RunFile& run, const schema::RunConfig& a,
                         const schema::RunConfig& b, schema::Purpose purpose);
// The same by log_mean_ns.
PairedVisits pair_mean_visits(const RunView& view, const schema::RunConfig& a,
                              const schema::RunConfig& b, schema::Purpose purpose);

}  // namespace batchscope::analyze
