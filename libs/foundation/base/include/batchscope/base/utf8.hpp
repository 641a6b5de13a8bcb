#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace batchscope::base {

// Where a text stops being UTF-8: the place of the first byte that begins no character, counted
// from 0; nothing for a text that is UTF-8 to its end. As Unicode has it (chapter 3, table 3-7): no
// overlong forms, no surrogates, nothing above U+10FFFF.
std::optional<std::size_t> first_not_utf8(std::string_view text);

// Bytes of the character that begins there; 0 where none does.
std::size_t utf8_bytes_at(std::string_view text, std::size_t at);

// As visible() of strings.hpp, of JSON, which stays JSON: \u001b instead of \x1b.
std::string visible_json(std::string_view json);

}  // namespace batchscope::base
