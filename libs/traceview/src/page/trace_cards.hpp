#pragma once

#include <string>

#include "batchscope/advice/trace_summary.hpp"

namespace batchscope::traceview {

// What leads the page of a trace: the answer, and large figures.
std::string trace_answer(const advice::TraceSummary& summary);

// Findings as cards: how severe, what, what mending it would gain, and what to try, to be copied.
std::string trace_cards(const advice::TraceSummary& summary);

}  // namespace batchscope::traceview
