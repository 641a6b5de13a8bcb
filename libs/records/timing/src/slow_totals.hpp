#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "batchscope/schema/visit.hpp"

namespace batchscope::timing {

// By how much a slow iteration exceeds the typical one of its visit: as a ratio, and in ns.
struct Slow {
  std::size_t index = 0;
  double begins_ns = 0;  // after the first iteration of the visit began
  double excess = 0;
  double excess_ns = 0;
};

// What one instance of a visit did, its warm-up included, in time order.
struct SeenIterations {
  int config = 0;
  std::size_t iterations = 0;
  double ns = 0;  // of all
  std::vector<Slow> slow;
};

// From how many times the typical iteration on one is slow, where these are the timed ones of each
// instance of visits of one configuration: beyond what their own scatter explains, and by what
// could matter.
double slow_from(const std::vector<std::span<const int64_t>>& series);

// Iterations before the first of the typical length are the beginning, and tell nothing.
SeenIterations seen_in(const schema::InstanceTimes& instance, int config, double slow_from);

// Visits of one configuration that reached a place where another met a slow iteration mostly met
// one there too; or hardly any reached it, so that nothing speaks against it.
bool meet_in_phase(std::span<const SeenIterations> all);

// Whether visits of a configuration, which met none, reached the place where those of others meet
// the first: by iterations and by the clock.
bool reach_the_first(std::span<const SeenIterations> own, std::span<const SeenIterations> all);

// Sums over visits, and how many independent slow iterations they are worth.
struct SlowTotals {
  double iterations = 0;
  double met = 0;
  double excess = 0;
  double excess_ns = 0;
  double largest = 0;
  double largest_ns = 0;
  double effective = 0;   // of `met`
  double dispersion = 1;  // variance of what visits met over that of a Poisson process, >= 1

  // Excess of one, on average and at most, at a configuration whose typical iteration takes so
  // long: either the ratio is the same for all, or the time.
  double each_at(double typical_ns) const;
  double largest_at(double typical_ns) const;
};

SlowTotals totals_of(std::span<const SeenIterations> all);

}  // namespace batchscope::timing
