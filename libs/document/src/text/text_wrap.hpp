#pragma once

#include <cstddef>
#include <vector>

#include "batchscope/document/document.hpp"

namespace batchscope::document {

// Breaks a clean line between words into lines of at most `width` columns; a longer word
// keeps a line of its own. Tones are kept. At least one line, which may be empty. The caller puts
// `hang` columns before each but the first.
std::vector<Line> wrap(const Line& line, std::size_t width, std::size_t hang = 0);

}  // namespace batchscope::document
