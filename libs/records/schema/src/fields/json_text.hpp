#pragma once

#include <string>
#include <string_view>

namespace batchscope::schema {

// Whether the text is a number by the grammar of JSON (RFC 8259, section 6), however large.
bool is_json_number(std::string_view text);

// With U+FFFD for each byte that begins no character of UTF-8.
std::string as_utf8(std::string_view text);

}  // namespace batchscope::schema
