#pragma once

#include <optional>
#include <vector>

#include "batchscope/tune/search.hpp"

namespace batchscope::tune {

// What visits take, by the time of their iterations, as those made so far tell.
class VisitCosts {
 public:
  // `time_s`: what the search takes for its time.
  void tell(const Observation& seen, double time_s);

  // Wall time of a visit whose iterations take `time_s`: between two that were seen in proportion,
  // beyond the longest with as many iterations as a visit has at least. nullopt before the first.
  std::optional<double> wall_s(double time_s) const;
  double spent_s() const { return spent_s_; }

 private:
  struct Seen {
    double time_s, wall_s, iterations;
  };
  std::vector<Seen> seen_;  // by time
  double spent_s_ = 0;
};

// What a search may spend on its next visits. Without a budget, or before the first visit, all
// cost the same and nothing is too dear.
class TimeBudget {
 public:
  // left_s: of the search's wall time; nullopt: as long as it takes. one_s: of which it has so much
  // at a time, as a run that is gone on with; nullopt: all at once.
  explicit TimeBudget(const VisitCosts& costs, std::optional<double> left_s = std::nullopt,
                      std::optional<double> one_s = std::nullopt);

  // The same where all that is cheap was tried: a new point may take a third of the whole time.
  TimeBudget opened() const;

  // Of a visit whose iterations take exp(log_time) s: s, or 1 where costs do not matter.
  double price(double log_time) const;
  // Whether a new point may cost as much: none takes more than a tenth of the whole time.
  bool affords(double log_time) const;
  // Whether all that may be spent without a thought.
  bool is_small(double price) const;
  // Nearly half of the time, of each that it has at a time, is kept for measuring the best again.
  bool is_time_to_halve() const;
  bool is_limited() const { return left_s_.has_value(); }

 private:
  const VisitCosts& costs_;
  std::optional<double> left_s_;
  double total_s_ = 0, one_s_ = 0;
  double share_;  // of the total, that a new point may take
};

}  // namespace batchscope::tune
