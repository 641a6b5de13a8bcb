#pragma once

#include <vector>

#include "batchscope/document/document.hpp"
#include "batchscope/findings/terms.hpp"

namespace batchscope::document {

// The terms that the document uses.
std::vector<const findings::Term*> terms_in(const Document& document);
// A line that says where they are told; empty without any.
Document terms_footnote(const Document& document);

}  // namespace batchscope::document
