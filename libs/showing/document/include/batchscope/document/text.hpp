#pragma once

#include <string>

#include "batchscope/document/document.hpp"
#include "batchscope/document/text_style.hpp"

namespace batchscope::document {

// A document for a reader at a terminal; its strings are cleaned here.
std::string render_text(Document document, const TextStyle& style);
// What nothing vouches for stands in grey, where there are colours.
std::string grey(const std::string& text, const TextStyle& style);

}  // namespace batchscope::document
