#include "shell_words.hpp"

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "characters.hpp"

namespace batchscope::report {

std::string shell_word(const std::string& raw) {
  const std::string text = clean(raw);
  constexpr const char* kBare =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,+=@%-";
  if (!text.empty() && text.find_first_not_of(kBare) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_command(std::span<const std::string> words) {
  return base::join(base::mapped(words, shell_word), " ");
}

}  // namespace batchscope::report
