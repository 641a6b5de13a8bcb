#pragma once

#include <string>
#include <vector>

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/document/page_frame.hpp"

namespace batchscope::traceview {

// What leads the page of a trace: the answer, and large figures.
std::string trace_answer(const advice::TraceSummary& summary);

// The same of anything else that has an answer.
std::string answer_html(const std::string& headline, const std::string& message,
                        const std::vector<document::Tile>& tiles);

// Findings as cards: how severe, what, what mending it would gain, and what to try, to be copied.
std::string finding_cards(const std::vector<findings::Finding>& findings);

}  // namespace batchscope::traceview
