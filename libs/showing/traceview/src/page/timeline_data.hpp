#pragma once

#include <string>

#include "batchscope/advice/trace_summary.hpp"

namespace batchscope::traceview {

// What the page's script draws, as JSON; web/report/src/trace/data.ts names the fields. Times are
// nanoseconds from the start of window_of(). Of very many steps only the first are there.
std::string timeline_data(const advice::TraceSummary& summary);

// Steps that a page has, each with a row of its table.
inline constexpr size_t kMostSteps = 500;

// "thread 25738 (pt_autograd_0) of process 123".
std::string thread_label(const attribution::Gap& gap);

}  // namespace batchscope::traceview
