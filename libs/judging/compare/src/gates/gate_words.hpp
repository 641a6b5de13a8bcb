#pragma once

#include <string>

#include "comparisons/open_comparison.hpp"
#include "non_inferiority.hpp"
#include "planned_pairs.hpp"

namespace batchscope::compare {

// What a gate needs more of.
enum class Unit { pairs_of_visits, runs_a_side, pairs_of_runs };
Unit unit_of(const findings::Comparison& comparison);
const char* words_of(Unit unit);

// One pair's verdict and what it rests on, a sentence.
std::string verdict_words(const PlannedPair& pair, const Open& open, const SlowdownTest& test,
                          findings::Outcome outcome);
// Why a pair with times could not be tested.
std::string untested_words(const PlannedPair& pair, const Open& open);
// Of a pair that failed, or was not measured, on either side.
std::string failure_words(const PlannedPair& pair, findings::Outcome outcome);

// The verdict on all checks, with the worst of them.
std::string gate_words(const findings::Gate& gate);
// What to add so that an inconclusive gate can tell.
std::string advice_words(const findings::Gate& gate, Unit unit);

}  // namespace batchscope::compare
