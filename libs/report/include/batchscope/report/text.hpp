#pragma once

#include <string>

#include "batchscope/findings/summary.hpp"
#include "batchscope/report/commands.hpp"

namespace batchscope::report {

// How much is told: the answer alone; the answer, the tables, what stands out, comparisons and
// warnings; or all there is.
enum class Extent { answer, usual, all };

// How the terminal wants it.
struct TextStyle {
  int width = 110;        // columns; wider tables are continued in a second one, the key repeated
  int answer_width = 80;  // columns of the answer's lines, where that is less
  bool colour = false;    // ANSI colours; everything they say stands in words too
  bool ascii = false;     // no character beyond ASCII ("+-" for the plus-minus sign)
  Extent extent = Extent::all;
};

// The summary for a reader at a terminal, the answer first. All there is: also inputs, words, laws,
// good sizes, single iterations, memory, phases, and what to measure next. Names are untrusted:
// control and escape characters in them never reach the result.
std::string text(const findings::Summary& summary, const TextStyle& style = {},
                 const Commands& commands = {});

// The answer alone, as it leads or ends whatever is told at a terminal: a line that is too wide is
// broken between words and goes on indented; the command to paste stays whole. Empty without any.
std::string answer_text(const findings::Answer& answer, const TextStyle& style = {});
// What nothing vouches for stands in grey, where there are colours.
std::string grey(const std::string& text, const TextStyle& style);

}  // namespace batchscope::report
