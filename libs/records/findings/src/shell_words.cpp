#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/findings/commands.hpp"

namespace batchscope::findings {

std::string shell_word(const std::string& raw) {
  constexpr const char* kBare =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,+=@%-";
  if (!raw.empty() && raw.find_first_not_of(kBare) == std::string::npos) return raw;
  std::string quoted = "'";
  for (const char c : raw) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_command(std::span<const std::string> words) {
  return base::join(base::mapped(words, shell_word), " ");
}

}  // namespace batchscope::findings
