#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/timing/warm_visit.hpp"
#include "batchscope/tune/search.hpp"

namespace batchscope::tune {

// The warm iterations of all instances, seconds.
std::vector<double> warm_seconds(const timing::WarmVisit& visit);

// What a visit says to a search, of its warm iterations: the time that the objective is of (of
// throughput and of cost their mean, for that is work over time; of latency their median), their
// median beside it, the statistic that the goal bounds, and the peak memory on the configuration's
// device. Of several instances the harmonic mean of theirs. The visit has samples.
Observation observe(const schema::Visit& visit, const schema::RunConfig& config, const Goal& goal,
                    const timing::Warmups& warmups);

// What an event says of its configuration; nothing when it is no failure.
std::optional<Failure> failure_of(const schema::Event& event);

}  // namespace batchscope::tune
