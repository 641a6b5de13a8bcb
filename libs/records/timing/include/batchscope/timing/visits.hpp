#pragma once

#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/timing/paired.hpp"
#include "batchscope/timing/steady_visit.hpp"
#include "batchscope/timing/use.hpp"

// Which visits give the times of a configuration, and what these come to: the same for whatever
// stops a run, prints a table, chooses or verifies.
namespace batchscope::timing {

// Blocks beyond the last.
inline constexpr int kAllBlocks = std::numeric_limits<int>::max();

struct RunVisits {
  // By configuration (its index in the run; of several that are equal the first), those with visits
  // that give a time, in the order of the file.
  std::map<int, WarmVisits> by_config;
  int untimed = 0;   // without samples, or with times that no iteration can have
  int repeated = 0;  // of the same configuration in the same block: the first counts
};

// The visits of the latest attempts that were made for one use, in the first `blocks` blocks,
// without their warm-up: what the run's measured visits show (`warmups`), and those of this use by
// themselves (`shown_in`). Those still warming are left out as `steady_visits` has it, and measured
// ones that longer ones were made to replace.
RunVisits visits_of(const schema::RunFile& run, Use use, const Warmups& warmups,
                    int blocks = kAllBlocks);
// Those of one configuration; none where it has none.
WarmVisits visits_of(const schema::RunFile& run, const schema::RunConfig& config, Use use,
                     const Warmups& warmups);

// How long a visit was timed for, s: of several instances the longest.
double timed_s(const schema::Visit& visit);

// typical_ns, mean_ns or late_ns.
using TimeOfVisit = double (*)(const SteadyVisit&);

// ln ns by block, and in the order of the visits.
LogsByBlock logs_by_block(const WarmVisits& visits, TimeOfVisit time);
std::vector<double> logs_of(std::span<const SteadyVisit> visits, TimeOfVisit time);

// One time of a configuration over its visits.
struct TimeOverVisits {
  double value = 0;  // the geometric mean, in the unit of the times
  std::optional<stats::Interval>
      interval{};  // absent where there are fewer than kVisitsForInterval
};

// Of ln times, at least one; the interval is Student's, as if the visits were independent.
TimeOverVisits over_visits(std::span<const double> logs, double level = 0.95);
// The same of ln ns, in ms: what tables and the progress of a run tell.
TimeOverVisits milliseconds_over_visits(std::span<const double> logs_ns, double level = 0.95);

}  // namespace batchscope::timing
