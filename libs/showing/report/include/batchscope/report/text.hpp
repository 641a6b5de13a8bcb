#pragma once

#include <string>

#include "batchscope/document/text.hpp"
#include "batchscope/findings/commands.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

// The summary for a reader at a terminal, the answer first. All there is: also inputs, words, laws,
// good sizes, single iterations, memory, phases, and what to measure next. Names are untrusted:
// control and escape characters in them never reach the result.
std::string text(const findings::Summary& summary, const document::TextStyle& style = {},
                 const findings::Commands& commands = {});

// The answer alone, as it leads or ends whatever is told at a terminal: a line that is too wide is
// broken between words and goes on indented; the command to paste stays whole. Empty without any.
std::string answer_text(const findings::Answer& answer, const document::TextStyle& style = {});

}  // namespace batchscope::report
