#pragma once

#include <string>

#include "batchscope/findings/trend.hpp"

namespace batchscope::compare {

// "batch 4 takes 5.1 % more time (interval 3.2 to 7.0 %) from abc123 on; the first such run is one
// of those from 9f0e to abc123."
std::string change_words(const findings::Trend& trend, const findings::TrendSeries& series,
                         const findings::TrendChange& change);

// The answer, once all series are there.
std::string trend_words(const findings::Trend& trend);

}  // namespace batchscope::compare
