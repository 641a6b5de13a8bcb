#include "name_words.hpp"

#include <algorithm>
#include <cctype>

#include "batchscope/base/strings.hpp"

namespace batchscope::attribution {

std::string folded(std::string_view name) {
  std::string text = base::to_lower(name);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
  return text;
}

bool begins_word(std::string_view name, size_t at) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  return at == 0 || !is_letter(name[at - 1]) ||
         std::isupper(static_cast<unsigned char>(name[at])) != 0;
}

std::string outside_brackets(std::string_view name) {
  std::string kept;
  std::string open;
  for (const char c : name) {
    if (c == '(' || c == '<') {
      open += c;
    } else if (c == ')' && !open.empty()) {
      while (!open.empty() && open.back() == '<') open.pop_back();
      if (!open.empty()) open.pop_back();
    } else if (c == '>' && !open.empty()) {
      if (open.back() == '<') open.pop_back();
    } else if (open.empty()) {
      kept += c;
    }
  }
  return kept;
}

}  // namespace batchscope::attribution
