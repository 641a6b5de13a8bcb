#pragma once

#include <string>

#include "batchscope/document/document.hpp"

namespace batchscope::document {

// A document as GitHub-flavoured Markdown; its strings are escaped here.
std::string render_markdown(const Document& document);

}  // namespace batchscope::document
