#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/findings/finding.hpp"
#include "batchscope/planning/arrivals.hpp"
#include "batchscope/planning/measured_costs.hpp"
#include "batchscope/serving/policy.hpp"

namespace batchscope::planning {

// What a service has to do, and what may be chosen for it.
struct PlanRequest {
  double rate_per_s = 0;          // of requests
  std::optional<double> p99_s{};  // bound on the 0.99 quantile of the latency, queueing included
  ArrivalProcess arrivals{};
  // Tokens of requests, each as likely. Empty: those of the recording, or the length measured where
  // that is a single one.
  std::vector<int64_t> lengths{};
  std::optional<int> instances{};       // absent: the fewest that keep to the bound, or to the rate
  std::optional<int64_t> max_batch{};   // absent: the largest measured
  std::optional<double> max_delay_s{};  // of the policies that wait; absent: several are tried
  // Of each simulated series. Absent: 20,000, and of bursty arrivals as many as hold 200 bursts, up
  // to 400,000.
  std::optional<std::size_t> requests{};
  int series = 5;
  uint64_t seed = 1;
  bool curves = false;  // also latency against load
};

// What a policy does at the planned rate and number of instances. Quantiles are those of all series
// together, give or take Student's half width over the series' own quantiles, never below 0; none
// for a recording, which is the same in each; absent where a series is too short for it
// (docs/design/method.md, 1.6), or the queue grows without end.
struct PolicyPlan {
  std::string policy;
  std::string settings;  // in words
  serving::PolicySettings values{};
  bool overloaded = false;  // the rate is beyond its capacity
  bool meets = false;  // its p99 is within the bound, or there is none and it is not overloaded
  std::optional<findings::Estimate> p50_ms{}, p90_ms{}, p99_ms{};
  double throughput_per_s = 0;
  double utilisation = 0;
  double mean_batch = 0;
  double padding = 0;
  double capacity_per_s = 0;              // requests a second, of all instances
  std::optional<int> instances_needed{};  // for the bound, or for the rate where there is none
  double interpolated = 0, smaller = 0, beyond = 0;  // shares of the batches, as by Match
};

struct LoadPoint {
  double rate_per_s = 0;
  std::optional<double> p50_ms{}, p99_ms{};
};
struct LoadCurve {
  std::string policy;
  std::vector<LoadPoint> points;
};

struct CapacityPlan {
  schema::RunConfig config;  // what was measured
  double rate_per_s = 0;
  std::optional<double> p99_ms{};
  std::string arrivals;
  int instances = 1;
  std::vector<PolicyPlan> policies;
  // Fewest instances, then the lowest p99; absent when none keeps to the bound.
  std::optional<std::size_t> recommended{};
  std::string message;
  std::vector<std::string> warnings;
  std::vector<LoadCurve> curves;
};

// "83.08", "101048".
std::string rate_words(double per_s);

// Simulates each policy, with the best of a few settings, over the measured times. Errors: failed
// (a rate beyond the capacity of the instances given, with the instances it needs; a bound below
// what a request takes alone, with how far); input (too few recorded requests, lengths that are
// needed and not given).
base::Result<CapacityPlan> plan(const MeasuredCosts& costs, const PlanRequest& request);

}  // namespace batchscope::planning
