#pragma once

#include <vector>

#include "batchscope/document/document.hpp"

namespace batchscope::document {

// A clean table laid out in columns for a terminal: each line a list of spans, padded, without
// trailing spaces. Wider than `width`: continued below with the key column repeated, an
// empty line between.
std::vector<Line> lay_out(const TextTable& table, std::size_t width);

}  // namespace batchscope::document
