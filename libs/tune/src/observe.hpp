#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/warmup.hpp"
#include "batchscope/tune/search.hpp"

namespace batchscope::tune {

// The timed iterations of one instance without those that `needed` says are still warm-up; the last
// one stays whatever it says. Not empty where the instance has any.
std::span<const int64_t> warm_samples(const schema::InstanceTimes& instance,
                                      int64_t iterations_per_sample,
                                      const stats::PooledWarmup& needed);

// What a visit says to a search, of its warm iterations: the time that the objective is of (of
// throughput and of cost their mean, for that is work over time; of latency their median), their
// median beside it, the statistic that the goal bounds, and the peak memory on the configuration's
// device. Of several instances the harmonic mean of theirs. The visit has samples.
Observation observe(const schema::Visit& visit, const schema::RunConfig& config, const Goal& goal,
                    const stats::PooledWarmup& needed);

// What an event says of its configuration; nothing when it is no failure.
std::optional<Failure> failure_of(const schema::Event& event);

}  // namespace batchscope::tune
