#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace batchscope::base {

// Bytes in letters that stand in any text (RFC 4648, section 4; with padding).
std::string base64(std::string_view bytes);
// The bytes again; nothing where it is no such text.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace batchscope::base
