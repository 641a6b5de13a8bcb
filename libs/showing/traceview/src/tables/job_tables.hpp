#pragma once

#include "batchscope/advice/comparison.hpp"
#include "batchscope/advice/job.hpp"
#include "batchscope/document/document.hpp"

namespace batchscope::traceview {

// A row a rank.
document::TextTable rank_table(const advice::JobSummary& job);
// A row a part of the time, and one for all of it.
document::TextTable changed_parts_table(const advice::TraceComparison& comparison);
// The kernels that changed most.
document::TextTable changed_kernels_table(const advice::TraceComparison& comparison, size_t most);
// The host's operators, ranges and calls whose own time changed most.
document::TextTable changed_operators_table(const advice::TraceComparison& comparison, size_t most);
// An item a prediction: what was to be gained, and what was.
document::List prediction_list(const advice::TraceComparison& comparison);

}  // namespace batchscope::traceview
