#pragma once

namespace batchscope::document {

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

}  // namespace batchscope::document
