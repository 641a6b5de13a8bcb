#pragma once

#include "batchscope/findings/trend.hpp"
#include "document/document.hpp"

namespace batchscope::report {

// Series by series: how many runs, the first and the last level, what would have been found.
Table trend_table(const findings::Trend& trend);
// Every change, the latest first.
List trend_changes(const findings::Trend& trend);
// What rests on what, a sentence.
std::string trend_method(const findings::Trend& trend);

}  // namespace batchscope::report
