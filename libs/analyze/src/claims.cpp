#include "claims.hpp"

#include <algorithm>

#include "axes.hpp"

namespace batchscope::analyze {
namespace {

bool has_controls(const GroupData& group) {
  return std::any_of(group.configs.begin(), group.configs.end(), [](const ConfigData& config) {
    return config.purpose == schema::Purpose::control;
  });
}

bool is_settled(const Departure& departure) {
  if (departure.outcome == DepartureOutcome::one_law) return departure.sets.empty();
  return departure.outcome == DepartureOutcome::departs && !departure.sets.front().at_end;
}

// Control sizes come late, so that a table with them has fewer complete blocks: they are taken in
// once they cost no power, or where the verdict without them is open, which is what they are for.
void test_departure(const GroupData& group, const DepartureOptions& options, GroupClaims& claims) {
  if (varies_in_length(group.key)) return;
  const BlockTable plain = testable_columns(group, false);
  claims.departure = find_departure(plain, options);
  const BlockTable* table = &plain;
  const BlockTable extended = testable_columns(group, true);
  const std::size_t shared = complete_blocks(extended).blocks.size();
  const bool open = shared >= kBlocksForClaims && !is_settled(claims.departure);
  if (has_controls(group) && (shared >= kBlocksForDominance || open)) {
    claims.departure = find_departure(extended, options);
    table = &extended;
  }
  claims.departure_sizes = table->sizes;
  claims.departure_blocks = claims.departure.n_blocks;
  for (const DepartureSet& set : claims.departure.sets) {
    for (const DepartureMember& member : set.members) {
      claims.departure_blocks = std::min(claims.departure_blocks, member.residual.n);
    }
  }
  if (claims.departure.outcome == DepartureOutcome::no_law) {
    claims.odd = odd_neighbours(*table, options);
  }
}

void test_dominance(const GroupData& group, const DominanceOptions& options, GroupClaims& claims) {
  BlockTable table = testable_columns(group, true);
  if (complete_blocks(table).blocks.size() < kBlocksForDominance) {
    table = testable_columns(group, false);
  }
  claims.dominance_sizes = table.sizes;
  for (DominanceClaim& claim : dominance_claims(table, options)) {
    claims.dominance.push_back({std::move(claim), {}, false});
  }
}

// Only one smallest set away from the ends is a claim; anything else is at most a suspicion.
bool is_claim(const Departure& departure) {
  return departure.outcome == DepartureOutcome::departs && !departure.sets.front().at_end;
}

void judge_family(std::vector<GroupClaims>& all, double alpha) {
  std::vector<double> p_values;
  for (const GroupClaims& claims : all) {
    if (claims.departure.outcome != DepartureOutcome::untestable) {
      p_values.push_back(is_claim(claims.departure) ? claims.departure.p : 1.0);
    }
    for (const TestedDominance& tested : claims.dominance) p_values.push_back(tested.claim.p);
  }
  const std::vector<stats::HolmVerdict> verdicts = stats::holm(p_values, alpha);
  std::size_t next = 0;
  for (GroupClaims& claims : all) {
    if (claims.departure.outcome != DepartureOutcome::untestable) {
      claims.departure_verdict = verdicts[next++];
      claims.departure_proven = claims.may_prove && is_claim(claims.departure) &&
                                claims.departure_verdict.rejected &&
                                claims.departure_blocks >= kBlocksForClaims;
    }
    for (TestedDominance& tested : claims.dominance) {
      tested.verdict = verdicts[next++];
      tested.proven = claims.may_prove && tested.verdict.rejected &&
                      tested.claim.n_blocks >= kBlocksForDominance;
    }
  }
}

}  // namespace

std::vector<GroupClaims> test_claims(const RunView& view, const Options& options) {
  const double alpha = 1 - options.level;
  std::vector<GroupClaims> all(view.groups.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const GroupData& group = view.groups[i];
    test_departure(group, {alpha, options.delta, kCalmMethod}, all[i]);
    test_dominance(group, {options.delta, kCalmMethod}, all[i]);
    all[i].may_prove = view.repeated && group.settled;
  }
  judge_family(all, alpha);
  return all;
}

}  // namespace batchscope::analyze
