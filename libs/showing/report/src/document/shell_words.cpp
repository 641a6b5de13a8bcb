#include "shell_words.hpp"

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/characters.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/findings/commands.hpp"

namespace batchscope::report {

std::string shell_word(const std::string& raw) {
  return findings::shell_word(base::clean(raw));
}

std::string shell_command(std::span<const std::string> words) {
  return base::join(base::mapped(words, shell_word), " ");
}

}  // namespace batchscope::report
