#pragma once

#include <string>
#include <string_view>

namespace batchscope::document {

// A name as a field of a CSV table (RFC 4180): cleaned, quoted where it has to be, and with an
// apostrophe before it where a spreadsheet would take it for a formula ('=', '+', '-' or '@'
// first).
std::string csv_text(std::string_view text);

}  // namespace batchscope::document
