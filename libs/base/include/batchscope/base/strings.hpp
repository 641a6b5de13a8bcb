#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace batchscope::base {

// Without ASCII white space at both ends; a view into `text`.
std::string_view trim(std::string_view text);

// The parts between separators, untrimmed; "a,,b" has an empty one, "" is one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);

std::string join(const std::vector<std::string>& parts, std::string_view separator);

// ASCII only; other bytes stay.
std::string to_lower(std::string_view text);

// Control characters but newline and tab, and what is no UTF-8, as \x1b: names steer no terminal.
std::string visible(std::string_view text);

}  // namespace batchscope::base
