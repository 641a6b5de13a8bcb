#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "batchscope/planning/arrivals.hpp"
#include "batchscope/serving/cost_table.hpp"
#include "batchscope/serving/policy.hpp"

namespace batchscope::planning {

struct SimulationOptions {
  int instances = 1;
  // Every batch is padded to this length; absent: to its longest.
  std::optional<int64_t> pad_to{};
  // The share of the requests, from the start, that only fill the system and are not counted.
  double warmup = 0.1;
  uint64_t seed = 1;
};

// One series of requests through the policy.
struct Simulation {
  std::vector<double> latencies_s;  // from arrival to the end of its batch, in order of completion
  double throughput_per_s = 0;      // of the counted requests
  double utilisation = 0;           // busy share of all instances, over the whole series
  double mean_batch = 0;
  double padding = 0;  // share of the computed tokens that only fill up batches
  int64_t batches = 0;
  int64_t interpolated = 0;  // batches whose size or length lies between measured ones
  int64_t smaller = 0;       // batches below the smallest size or length that was measured
  int64_t beyond = 0;        // batches beyond what was measured: extrapolated
};

// Discrete events: requests arrive, a free instance asks the policy, a batch takes a time drawn
// from the table for its size and its longest request (docs/design/method.md, section 6). Arrivals
// ascend in time. The same input gives the same result. A policy has to decide in finite time: see
// Policy::decide.
Simulation simulate(const serving::CostTable& table, const serving::Policy& policy,
                    std::span<const Arrival> arrivals, const SimulationOptions& options = {});

// The largest batch that the policy forms, by its own limits where it has them.
int64_t largest_formed(const serving::CostTable& table, const serving::PolicySettings& settings);

// The most requests a second the policy can serve with one instance: the throughput while a queue
// with these lengths (none: all alike) never runs empty.
double saturation_per_s(const serving::CostTable& table, const serving::Policy& policy,
                        const std::vector<int64_t>& lengths, const SimulationOptions& options = {});

// Bounds of the mean latency of the policy that takes all that wait, without a largest batch, on
// one instance under Poisson arrivals at rate l < 1 / a, where a batch of b takes a b + t0 seconds:
// min(f0, f1) of Inoue (2021), "Queueing analysis of GPU-based inference servers with dynamic
// batching: a closed-form characterization".
double take_all_bound_s(double a, double t0, double rate_per_s);

}  // namespace batchscope::planning
