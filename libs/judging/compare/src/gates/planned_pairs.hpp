#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batchscope/tables/axes.hpp"
#include "batchscope/tables/run_view.hpp"
#include "run_sides.hpp"

namespace batchscope::compare {

// What became of one configuration on one side, over all its runs.
struct SideRecord {
  bool measured = false;  // it has times
  int failures = 0;       // visits that ended out of memory, in a crash, a timeout or an error
  bool given_up = false;  // in a run of this side
  std::string what;       // the first failure, in words
};

// Two versions of one configuration that were to be measured, whether they were or not.
struct PlannedPair {
  std::string axis;                       // model, environment or run
  std::optional<schema::AxisId> axis_id;  // absent: run
  std::string base, other;                // as in machine output
  std::string base_words, other_words, where;
  schema::RunConfig config;  // the base's
  SideRecord of_base, of_other;
};

// Of one run: configurations that differ in the model or the environment alone, the first value on
// that axis against each other one; without those that experiments added.
std::vector<PlannedPair> planned_within(const tables::RunView& view);

// Of two sides: every configuration of the baseline. What only the candidate has is new, and left
// out.
std::vector<PlannedPair> planned_between(const RunSides& sides);

}  // namespace batchscope::compare
