#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "batchscope/stats/mean_estimate.hpp"

namespace batchscope::compare {

// ln times of the visits of one configuration, a list for each run.
using LogsByRun = std::vector<std::vector<double>>;

// How many of these (ln times) are in a slow mode: over their median by 3 robust standard
// deviations (1.4826 times the median absolute deviation), and by 5 % at least.
int count_slow(std::span<const double> logs);

// Set where the plain and the trimmed estimate of ln(other / base) tell ratios over 3 points apart:
// a few visits then decide, and the trimmed mean hides them.
std::optional<findings::SlowVisits> slow_visits(const LogsByRun& base, const LogsByRun& other,
                                                const std::optional<stats::MeanEstimate>& plain,
                                                const std::optional<stats::MeanEstimate>& trimmed);

// "3 of 12 visits of b are in a slow mode; in the mean over all visits the difference is 9.1 % more
// time"
std::string slow_words(const findings::SlowVisits& slow, const std::string& base,
                       const std::string& other);

}  // namespace batchscope::compare
