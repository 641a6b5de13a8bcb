#include "row.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/stats/binomial.hpp"

namespace batchscope::truth {
namespace {

void add(Outcome& outcome, const Row& row, int experiments) {
  for (int i = 0; i < experiments; ++i) {
    const uint64_t seed = outcome.first_seed + static_cast<uint64_t>(outcome.experiments++);
    if (row.holds(seed)) ++outcome.held;
  }
  outcome.interval = stats::clopper_pearson(static_cast<std::size_t>(outcome.held),
                                            static_cast<std::size_t>(outcome.experiments), 0.99);
}

bool is_within(const Goal& goal, const stats::Interval& rate) {
  return rate.low > goal.at_least.value_or(-1) && rate.high < goal.at_most.value_or(2);
}

}  // namespace

Outcome run(const Row& row, int experiments, uint64_t first_seed) {
  Outcome outcome;
  outcome.first_seed = first_seed;
  add(outcome, row, experiments);
  return outcome;
}

Outcome run_until_clear(const Row& row, int at_most, uint64_t first_seed) {
  constexpr int kBetweenChecks = 50;
  Outcome outcome;
  outcome.first_seed = first_seed;
  while (outcome.experiments < at_most) {
    add(outcome, row, std::min(kBetweenChecks, at_most - outcome.experiments));
    if (is_within(row.goal, outcome.interval)) break;
  }
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
        preemption_rows(), two_run_rows(), version_rows(), trend_rows(), mean_rows(),
        dominance_rows(), quantile_rows(), longer_visit_rows()}) {
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

}  // namespace batchscope::truth
