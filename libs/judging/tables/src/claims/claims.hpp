#pragma once

#include <limits>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "batchscope/stats/multiplicity.hpp"
#include "batchscope/tables/run_view.hpp"
#include "batchscope/tables/test_options.hpp"
#include "departure.hpp"
#include "dominance.hpp"

namespace batchscope::tables {

struct TestedDominance {
  DominanceClaim claim;
  stats::HolmVerdict verdict;
  bool proven = false;
  std::string doubt;  // the reading (run_view.hpp) that does not show it, or empty
};

// The anomaly tests of one scaling table.
struct GroupClaims {
  bool may_prove = true;                 // repeated in fresh processes, and past their warm-up
  std::vector<int64_t> dominance_sizes;  // what size_index of the claims refers to
  std::vector<TestedDominance> dominance;
  std::vector<int64_t> departure_sizes;  // what size_index of members refers to
  bool departure_with_controls = false;  // control sizes are among them
  Departure departure;
  stats::HolmVerdict departure_verdict;
  std::size_t departure_blocks = 0;  // the fewest that a member of it rests on
  bool departure_proven = false;     // of its provable members
  // departure_to_be_proven(), at its share of the family's level
  double departure_to_be_proven = std::numeric_limits<double>::infinity();
  std::string departure_doubt;       // the reading (run_view.hpp) that does not show it, or empty
  std::vector<DepartureMember> odd;  // against their neighbours only, where no law fits
};

// Tests all tables of a run as one Holm family, one entry a group, in order.
std::vector<GroupClaims> test_claims(const RunView& view, const TestOptions& options);

}  // namespace batchscope::tables
