#pragma once

#include <string>

#include "document/document.hpp"

namespace batchscope::report {

// A document as GitHub-flavoured Markdown; its strings are escaped here.
std::string render_markdown(const Document& document);

}  // namespace batchscope::report
