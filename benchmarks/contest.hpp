#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/planning/arrivals.hpp"
#include "batchscope/serving/cost_table.hpp"
#include "batchscope/serving/policy.hpp"
#include "served_model.hpp"

namespace batchscope {

// A policy and what its batches are padded to: this length, or the longest of each.
struct Contender {
  std::shared_ptr<const serving::Policy> policy;
  std::optional<int64_t> pad_to{};
};

struct Replay {
  // From when a request was due to its answer, in the order of the recording.
  std::vector<double> latencies_s;
  double batches_s = 0;  // all batches together
  double timed_s = 0;    // the same shapes by the mean of their times in the table
};

// Replays the same requests, stretched to rising rates, to each contender.
class Contest {
 public:
  // `recording` has a rate of 1 request a second.
  Contest(ServedModel& model, const serving::CostTable& table,
          std::vector<planning::Arrival> recording, double bound_s);

  // The highest rate, requests a second, on a grid of 3 % at which at most 1 % of the requests take
  // longer than the bound.
  double simulated_highest(const Contender& contender) const;
  // Errors: failed (not even half of the simulated rate keeps the bound).
  base::Result<double> measured_highest(const Contender& contender) const;
  double mean_length() const;  // tokens
  // Requests a second that it carries while its queue never runs empty, as simulated.
  double capacity(const Contender& contender) const;

  std::vector<double> simulated(const Contender& contender, double rate) const;  // latencies, s
  Replay measured(const Contender& contender, double rate) const;

 private:
  std::optional<Replay> replay(const Contender& contender, double rate,
                               std::size_t most_late) const;
  base::Result<void> run(std::span<const int64_t> tokens, std::optional<int64_t> pad_to,
                         Replay& replay) const;
  std::size_t late(const std::vector<double>& latencies_s) const;
  std::vector<planning::Arrival> at_rate(double rate) const;

  ServedModel& model_;
  const serving::CostTable& table_;
  std::vector<planning::Arrival> recording_;
  double bound_s_;
  std::size_t may_be_late_;
  mutable std::string failure_;  // of the last batch that failed; written by the one instance
};

}  // namespace batchscope
