#pragma once

#include "batchscope/document/document.hpp"
#include "batchscope/findings/trend.hpp"

namespace batchscope::report {

// Series by series: how many runs, the first and the last level, what would have been found.
document::TextTable trend_table(const findings::Trend& trend);
// Every change, the latest first.
document::List trend_changes(const findings::Trend& trend);
// What rests on what, a sentence.
std::string trend_method(const findings::Trend& trend);

}  // namespace batchscope::report
