#pragma once

#include <string>
#include <string_view>

namespace batchscope::base {

// Bytes in letters that stand in any text (RFC 4648, section 4; with padding).
std::string base64(std::string_view bytes);

}  // namespace batchscope::base
