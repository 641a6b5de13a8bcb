#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/stats/interval.hpp"

namespace batchscope::truth {

// What a rate must be: at least, at most, or both.
struct Goal {
  std::optional<double> at_least;
  std::optional<double> at_most;
};

// One rate over many experiments. `holds` tells of one experiment, from its seed.
struct Row {
  std::string topic;  // groups rows in the table
  std::string what;
  Goal goal;
  std::function<bool(uint64_t seed)> holds;
  // False: known to miss its goal, so that it is in the table but no test yet.
  bool tested = true;
};

struct Outcome {
  int held = 0;
  int experiments = 0;
  uint64_t first_seed = 0;
  stats::Interval interval;  // Clopper-Pearson, 99 %

  double rate() const { return static_cast<double>(held) / experiments; }
};

// Runs the row on the seeds first_seed, first_seed + 1, ...; each experiment has its own.
Outcome run(const Row& row, int experiments, uint64_t first_seed);

// The same, ended early where the 99 % interval lies within the goal: looked at after every 50.
Outcome run_until_clear(const Row& row, int at_most, uint64_t first_seed);

// The 99 % interval does not exclude the goal: a true rate at the goal passes in 99 % of the runs,
// so the test does not flake, and a rate well beyond it fails.
bool passes(const Goal& goal, const Outcome& outcome);

// "<= 5 %", ">= 95 %", "93 to 97.5 %".
std::string describe(const Goal& goal);

// All rows of the truth table, in its order.
std::vector<Row> all_rows();

std::vector<Row> equality_rows();     // equal configurations called different, coverage
std::vector<Row> false_claim_rows();  // runs without an anomaly
std::vector<Row> detection_rows();    // runs with one
std::vector<Row> recommendation_rows();
std::vector<Row> cause_rows();   // and the verification of recommendations
std::vector<Row> choice_rows();  // recommendations on laws drawn at random
std::vector<Row> search_rows();  // searches of tables drawn at random
// Machines and laws that mislead.
std::vector<Row> process_kind_rows();  // processes or sizes that run in two ways, heavy tails
std::vector<Row> order_rows();         // what depends on when a visit is made, or on the one before
std::vector<Row> odd_law_rows();       // fractional waves, cache steps, warm-up of one size
std::vector<Row> preemption_rows();
std::vector<Row> dominance_rows();
std::vector<Row> quantile_rows();
// Slow iterations and warm-ups.
std::vector<Row> mean_rows();
std::vector<Row> longer_visit_rows();
std::vector<Row> version_rows();  // a new version against an old one, interleaved in one run
std::vector<Row> trend_rows();    // changes over the runs of a history
std::vector<Row> two_run_rows();  // equal runs, and equal configurations under adverse noise

}  // namespace batchscope::truth
