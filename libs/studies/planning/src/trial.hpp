#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "batchscope/planning/plan.hpp"
#include "batchscope/planning/simulate.hpp"
#include "batchscope/serving/policy.hpp"

namespace batchscope::planning {

// Runs one policy through simulated series; all policies see the same arrivals.
class Trial {
 public:
  Trial(const MeasuredCosts& costs, const PlanRequest& request);

  // One series, short where one part of it is like any other: the 0.99 quantile of its latency,
  // seconds.
  double quick_p99_s(const serving::Policy& policy, int instances) const;
  // All series.
  PolicyPlan full(const serving::Policy& policy, int instances) const;
  LoadPoint at_load(const serving::Policy& policy, int instances, double rate_per_s) const;
  // Of one instance.
  double capacity_per_s(const serving::Policy& policy) const;

  // The requests of a series: those of a recording, or as many as wanted.
  std::size_t requests() const;
  // Of them, those that are counted and tell something of their own.
  std::size_t counted() const;

 private:
  // `wanted` requests at most, but all of a recording: its bursts may be in any part of it. Of a
  // long one its busiest part.
  std::size_t at_most(std::size_t wanted) const;
  Simulation series(const serving::Policy& policy, int instances, double rate_per_s,
                    std::size_t requests, uint64_t index) const;
  Simulation series_of(const ArrivalProcess& process, const serving::Policy& policy, int instances,
                       double rate_per_s, std::size_t requests, uint64_t index) const;
  bool long_recording() const;
  // Requests of a series that `instances` serve; 0: as many as there are, or as were asked for.
  std::size_t enough_for(const serving::Policy& policy, int instances) const;

  const MeasuredCosts& costs_;
  const PlanRequest& request_;
  ArrivalProcess busiest_;         // of a long recording
  double busiest_rate_share_ = 1;  // its rate, as a share of the recording's
  // Each is asked for many times. By what a policy may form: while a queue never runs empty nobody
  // waits for more requests, whatever the delay.
  using Forms = std::tuple<std::optional<int64_t>, std::optional<int64_t>, std::vector<int64_t>>;
  mutable std::map<Forms, double> capacities_;
};

}  // namespace batchscope::planning
