#include "row.hpp"

#include <fmt/format.h>

#include "batchscope/stats/binomial.hpp"

namespace batchscope::truth {

Outcome run(const Row& row, int experiments, uint64_t first_seed) {
  Outcome outcome;
  outcome.experiments = experiments;
  outcome.first_seed = first_seed;
  for (int i = 0; i < experiments; ++i) {
    if (row.holds(first_seed + static_cast<uint64_t>(i))) ++outcome.held;
  }
  outcome.interval = stats::clopper_pearson(static_cast<std::size_t>(outcome.held),
                                            static_cast<std::size_t>(experiments), 0.99);
  return outcome;
}

bool passes(const Goal& goal, const Outcome& outcome) {
  if (goal.at_least && outcome.interval.high < *goal.at_least) return false;
  return !goal.at_most || outcome.interval.low <= *goal.at_most;
}

std::string describe(const Goal& goal) {
  if (goal.at_least && goal.at_most) {
    return fmt::format("{:g} to {:g} %", 100 * *goal.at_least, 100 * *goal.at_most);
  }
  return goal.at_least ? fmt::format(">= {:g} %", 100 * *goal.at_least)
                       : fmt::format("<= {:g} %", 100 * goal.at_most.value_or(1));
}

std::vector<Row> all_rows() {
  std::vector<Row> all;
  for (const auto& rows :
       {equality_rows(), false_claim_rows(), detection_rows(), recommendation_rows(), cause_rows(),
        choice_rows(), search_rows(), process_kind_rows(), order_rows(), odd_law_rows(),
        preemption_rows(), two_run_rows(), version_rows(), trend_rows()}) {
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

}  // namespace batchscope::truth
