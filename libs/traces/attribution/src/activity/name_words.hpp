#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace batchscope::attribution {

// In small letters, with "_" for spaces and hyphens; as long as the name.
std::string folded(std::string_view name);
// Whether a word begins there: behind a sign, or with a capital behind a small letter.
bool begins_word(std::string_view name, size_t at);
// Of "void ns::kernel<A, B>(int)" what stands outside of brackets; ">" closes what "<" opened, and
// nothing in "(a > b)".
std::string outside_brackets(std::string_view name);

}  // namespace batchscope::attribution
