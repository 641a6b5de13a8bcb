#pragma once

#include <optional>
#include <string>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/timing/warmups.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::tune {

// What the search found against another point, in fresh visits paired within blocks; absent where
// there are too few pairs to show anything, or the visits may still hold warm-up.
std::optional<findings::FreshContrast> contrast(const schema::RunFile& run,
                                                const SearchOutcome& outcome, std::size_t other,
                                                const timing::Warmups& warmups, std::string what);

// Whether warm-up leaves the fresh visits of the two nothing to show.
bool are_warming(const schema::RunFile& run, const SearchOutcome& outcome, std::size_t other,
                 const timing::Warmups& warmups);

// The least and the most that the gain can be (analyze::FreshGain).
double surest(const findings::FreshContrast& contrast);
double largest(const findings::FreshContrast& contrast);

// "12 % more throughput than the default (batch 1; interval 10 to 14 %)": of what it is against,
// what tells it from the others of the grid.
std::string contrast_words(const findings::FreshContrast& contrast, const SearchOutcome& outcome,
                           double practical);

}  // namespace batchscope::tune
