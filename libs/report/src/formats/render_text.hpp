#pragma once

#include <string>

#include "batchscope/report/text.hpp"
#include "document/document.hpp"

namespace batchscope::report {

// A document for a reader at a terminal; its strings are cleaned here.
std::string render_text(Document document, const TextStyle& style);

}  // namespace batchscope::report
