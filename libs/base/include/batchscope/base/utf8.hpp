#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace batchscope::base {

// Where a text stops being UTF-8: the place of the first byte that begins no character, counted
// from 0; nothing for a text that is UTF-8 to its end. As Unicode has it (chapter 3, table 3-7): no
// overlong forms, no surrogates, nothing above U+10FFFF.
std::optional<std::size_t> first_not_utf8(std::string_view text);

}  // namespace batchscope::base
