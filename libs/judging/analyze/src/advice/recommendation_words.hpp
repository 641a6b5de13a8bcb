#pragma once

#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "bounds.hpp"
#include "gain.hpp"

namespace batchscope::analyze {

// What a recommendation's gain is against: "batch 8", and "with 1 instance" where that differs too.
std::string baseline_words(const findings::Recommendation& pick);
// The same as in machine output: "batch_size 8 with 1 instance".
std::string gain_against(const findings::Recommendation& pick);

// The recommendation in words, without what fresh visits say and what it is not proven better than.
// `gain`: as the tables have it; `groups`: all tables of the run; `row`: the recommended one.
struct ShownGain {
  std::optional<findings::Estimate> value;
  double level = 0.95;  // of its interval
};
std::string message_of(const findings::Recommendation& pick, const ShownGain& gain,
                       const std::vector<findings::Group>& groups, const Bounds& bounds,
                       const findings::ConfigRow& row);

// What was faster perhaps, and may not be chosen for what it computes; empty: nothing.
std::string unlike_words(const findings::Recommendation& pick,
                         const std::vector<findings::Group>& groups);

// Of a baseline that stays: why what looks best is not taken instead.
std::string too_small_words(const schema::RunConfig& best, const schema::RunConfig& baseline,
                            const Gain& gain, double practical);

// What looks better than the pick, but is not shown to be better than the baseline.
std::string unconfirmed_words(const schema::RunConfig& best, const schema::RunConfig& baseline,
                              const findings::Recommendation& pick, const Gain& gain);

// Where no configuration is told apart from the others: that, how much may be there, and what would
// settle it; `fresh` is what fresh visits say: without a gain in them, that they may hold warm-up.
// None is named.
std::string undecided_words(const findings::Recommendation& pick, const std::string& fresh,
                            const std::vector<findings::Group>& groups, const Bounds& bounds);
// "batch size", or "setting" where more than the size is open.
std::string choice_words(const schema::RunConfig& pick, const std::vector<findings::Group>& groups);
// "batch 4, bf16": names what the tables of its work differ in.
std::string setting_words(const schema::RunConfig& pick,
                          const std::vector<findings::Group>& groups);
// "For mlp, ", empty where there is no other work.
std::string for_work(const schema::RunConfig& config, const std::vector<findings::Group>& groups);

// How far the largest difference that was measured may go, of one that is open and looks too small
// to matter; absent where it may be larger than anybody would take without a thought.
std::optional<double> alike_within(const findings::Recommendation& pick);

// Why nothing is known to keep the bounds, where that is all: "no memory was recorded"; else empty.
std::string what_is_unknown(const findings::Recommendation& pick);

// Of one reason: "batches 16 and 32", or with several tables "5 of 12 configurations"; empty: none.
std::string which_left_out(const findings::Recommendation& pick, findings::LeftOutReason reason,
                           const std::vector<findings::Group>& groups);

// When nothing keeps the bounds: `pick` comes nearest.
std::string infeasible_words(const findings::Recommendation& pick,
                             const std::vector<findings::Group>& groups, const Bounds& bounds,
                             const findings::ConfigRow& row);

}  // namespace batchscope::analyze
