#pragma once

#include <optional>
#include <vector>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/timing/visits.hpp"
#include "batchscope/tune/search.hpp"

namespace batchscope::tune {

inline constexpr double kSecondsANanosecond = 1e-9;

// The warm iterations of all instances, seconds.
std::vector<double> warm_seconds(const timing::SteadyVisit& visit);

// What a visit says to a search, of its warm iterations: their mean, their median, the statistic
// that the goal bounds, and the peak memory on the configuration's device. Of several instances the
// harmonic mean of theirs.
Observation observe(const timing::SteadyVisit& visit, const schema::RunConfig& config,
                    const Goal& goal);

// The same of all of them, those left out marked as still warming.
std::vector<Observation> observe(const timing::WarmVisits& visits, const schema::RunConfig& config,
                                 const Goal& goal);

// The time of a visit that the objective is of: of throughput and of cost the mean iteration, for
// that is work over time; of latency the typical one.
timing::TimeOfVisit time_of(Objective objective);

// What an event says of its configuration; nothing when it is no failure.
std::optional<FailureKind> failure_of(const schema::Event& event);

}  // namespace batchscope::tune
