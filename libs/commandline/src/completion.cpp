#include "batchscope/commandline/completion.hpp"

#include <algorithm>

#include "shells.hpp"

namespace batchscope::commandline {
namespace {

constexpr std::size_t kLongestShortHelp = 70;

}  // namespace

std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char each : text) quoted += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return quoted + "'";
}

std::string short_help(const Flag& flag) {
  std::string text = flag.help.substr(0, flag.help.find_first_of(";:("));
  if (text.size() > kLongestShortHelp) text.resize(text.rfind(' ', kLongestShortHelp));
  text.resize(text.find_last_not_of(" ,") + 1);
  return text;
}

std::string completion_script(Shell shell, const Program& program) {
  switch (shell) {
    case Shell::bash:
      return bash_completion(program);
    case Shell::zsh:
      return zsh_completion(program);
    case Shell::fish:
      break;
  }
  return fish_completion(program);
}

}  // namespace batchscope::commandline
