#include "claims.hpp"

#include <algorithm>

#include "batchscope/tables/axes.hpp"
#include "batchscope/timing/evidence.hpp"
#include "departure_power.hpp"

namespace batchscope::tables {
namespace {

bool has_controls(const GroupData& group) {
  return std::any_of(group.configs.begin(), group.configs.end(), [](const ConfigData& config) {
    return config.purpose == schema::Purpose::control;
  });
}

// A claim holds in every reading of the visits, so its p is the largest of theirs.
void keep_doubt(double p_again, const std::string& words, double alpha, double& p,
                std::string& doubt) {
  if (p_again <= p) return;
  p = p_again;
  if (p >= alpha) doubt = words;
}

void doubt_departure(const GroupData& group, const DepartureOptions& options, GroupClaims& claims) {
  if (claims.departure.p >= options.alpha) return;
  for (const RobustnessCheck& reading : group.readings) {
    const BlockTable table = testable_columns(group, reading, claims.departure_with_controls);
    keep_doubt(p_again(claims.departure, table, options), reading.words, options.alpha,
               claims.departure.p, claims.departure_doubt);
  }
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
  const bool open = shared >= timing::kPairsToProve && !is_settled(claims.departure);
  claims.departure_with_controls =
      has_controls(group) && (shared >= timing::kPairsToProveAChoice || open);
  if (claims.departure_with_controls) {
    claims.departure = find_departure(extended, options);
    table = &extended;
  }
  if (is_claim(claims.departure)) doubt_departure(group, options, claims);
  claims.departure_sizes = table->sizes;
  claims.departure_blocks = claims.departure.n_blocks;
  for (const DepartureSet& set : claims.departure.sets) {
    for (const DepartureMember& member : set.members) {
      claims.departure_blocks = std::min(claims.departure_blocks, member.excess.n);
    }
  }
  if (claims.departure.outcome == DepartureOutcome::no_law) {
    claims.odd = odd_neighbours(*table, options);
  }
}

void test_dominance(const GroupData& group, const DominanceOptions& options, double alpha,
                    GroupClaims& claims) {
  BlockTable table = testable_columns(group, true);
  const bool with_controls = complete_blocks(table).blocks.size() >= timing::kPairsToProveAChoice;
  if (!with_controls) table = testable_columns(group, false);
  claims.dominance_sizes = table.sizes;
  for (DominanceClaim& claim : dominance_claims(table, options)) {
    claims.dominance.push_back({std::move(claim), {}, false, {}});
  }
  for (const RobustnessCheck& reading : group.readings) {
    if (claims.dominance.empty()) break;
    const BlockTable again = testable_columns(group, reading, with_controls);
    for (TestedDominance& tested : claims.dominance) {
      if (tested.claim.p >= alpha) continue;
      keep_doubt(p_again(tested.claim, again, options), reading.words, alpha, tested.claim.p,
                 tested.doubt);
    }
  }
  // Where processes run in two ways, and more of them in the slower one at larger sizes, what is
  // moved in as a spike of one size is the usual way of another.
  const BlockTable measured = measured_columns(group, with_controls);
  for (TestedDominance& tested : claims.dominance) {
    if (tested.claim.p >= alpha) continue;
    keep_doubt(p_of_all_blocks(tested.claim, measured, options), "with every visit as measured",
               alpha, tested.claim.p, tested.doubt);
  }
}

// The p-values of the family, in the order in which verdicts are given out.
std::vector<double> p_values_of(const std::vector<GroupClaims>& all) {
  std::vector<double> p_values;
  for (const GroupClaims& claims : all) {
    if (claims.departure.outcome != DepartureOutcome::untestable) {
      p_values.push_back(is_claim(claims.departure) ? claims.departure.p : 1.0);
    }
    for (const TestedDominance& tested : claims.dominance) p_values.push_back(tested.claim.p);
  }
  return p_values;
}

void judge_family(std::vector<GroupClaims>& all, double alpha) {
  const std::vector<stats::HolmVerdict> verdicts = stats::holm(p_values_of(all), alpha);
  std::size_t next = 0;
  for (GroupClaims& claims : all) {
    if (claims.departure.outcome != DepartureOutcome::untestable) {
      claims.departure_verdict = verdicts[next++];
      claims.departure_proven = claims.may_prove && is_claim(claims.departure) &&
                                claims.departure_verdict.rejected &&
                                claims.departure_blocks >= timing::kPairsToProve;
    }
    for (TestedDominance& tested : claims.dominance) {
      tested.verdict = verdicts[next++];
      tested.proven = claims.may_prove && tested.verdict.rejected &&
                      tested.claim.n_blocks >= timing::kPairsToProveAChoice;
    }
  }
}

// A single odd size would be the family's smallest p.
void state_power(const RunView& view, DepartureOptions options, std::vector<GroupClaims>& all) {
  options.alpha /= static_cast<double>(std::max<std::size_t>(p_values_of(all).size(), 1));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].departure_sizes.empty()) continue;
    all[i].departure_to_be_proven = departure_to_be_proven(
        testable_columns(view.groups[i], all[i].departure_with_controls), options);
  }
}

}  // namespace

std::vector<GroupClaims> test_claims(const RunView& view, const TestOptions& options) {
  const double alpha = 1 - options.level;
  std::vector<GroupClaims> all(view.groups.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const GroupData& group = view.groups[i];
    test_departure(group, {alpha, options.delta, kCalmMethod}, all[i]);
    test_dominance(group, {options.delta, kCalmMethod}, alpha, all[i]);
    all[i].may_prove = view.repeated && group.settled;
  }
  judge_family(all, alpha);
  state_power(view, {alpha, options.delta, kCalmMethod}, all);
  return all;
}

}  // namespace batchscope::tables
