#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "batchscope/timing/warmups.hpp"

namespace batchscope::timing {

// A visit's timed iterations without those that count as warm-up: what its time is taken from,
// wherever one is asked for. It lives as long as the visit.
struct SteadyVisit {
  const schema::Visit* visit = nullptr;
  std::vector<std::span<const int64_t>> series;  // of each instance, ns
  // Taking off all of the warm-up would have left fewer than 3 iterations: the last 3 are kept.
  bool still_warming = false;
  bool trimmed = false;  // timed iterations were taken off
};

// The visit has samples.
SteadyVisit warm(const schema::Visit& visit, const Warmups& warmups);

// The typical iteration, ns: the median; of several instances the harmonic mean of their medians,
// so that instances x batch size / time is the sum of their rates.
double typical_ns(const SteadyVisit& visit);

// Work over time, ns: the mean iteration, however slow some of them are; of several instances the
// harmonic mean of their means.
double mean_ns(const SteadyVisit& visit);

// The typical iteration of the later half of each series, ns: what is no passing state of a visit
// is there as well.
double late_ns(const SteadyVisit& visit);

// A slow iteration takes over so many times as long as the typical one of its instance.
inline constexpr double kSlowIteration = 1.5;

// How many iterations are slow.
int64_t slow_iterations(const SteadyVisit& visit);

struct WarmVisits {
  std::vector<SteadyVisit> visits{};    // in the order given
  std::vector<SteadyVisit> excluded{};  // too few iterations were left of them
  // False where more than half of them may still hold warm-up: too little would have been left
  // without it, or it had not ended when it could last be looked at. Nothing is proven of such.
  bool settled = true;
};

bool all_settled(std::span<const WarmVisits> visits);

// Visits of one configuration. Those that are still warming are left out, unless that would cost
// more than half of the visits: then they stay, marked.
WarmVisits steady_visits(const std::vector<const schema::Visit*>& visits, const Warmups& warmups);

}  // namespace batchscope::timing
