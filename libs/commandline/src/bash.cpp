#include <fmt/format.h>

#include "batchscope/base/strings.hpp"
#include "shells.hpp"

namespace batchscope::commandline {
namespace {

// What is offered is compared as text, never expanded: a model may be called "$(...)".
constexpr std::string_view kHelpers = R"sh(
_PROGRAM_offer() {  # those of the words that begin with what is typed
  local word
  for word in "$@"; do
    [[ $word == "$typed"* ]] && COMPREPLY+=("$word")
  done
  return 0
}

_PROGRAM_list() {  # the same for the last part of a list with commas
  local word before=
  [[ $typed == *,* ]] && before=${typed%,*},
  for word in "$@"; do
    [[ $before$word == "$typed"* ]] && COMPREPLY+=("$before$word")
  done
  return 0
}

_PROGRAM_paths() {  # -f: files, -d: folders
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$typed")
}

_PROGRAM_models() {
  local name
  while IFS= read -r name; do _PROGRAM_list "$name"; done < <("$program" completion models 2>/dev/null)
  _PROGRAM_paths -f
}

_PROGRAM() {
  local program=${1:-PROGRAM} typed=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  if [[ $typed == "=" ]]; then
    typed=
  elif [[ $before == "=" ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD == 1)); then
    _PROGRAM_offer VERBS help --help --version
    return
  fi
  local verb=${COMP_WORDS[1]}
  case $verb in
GROUPS    help) _PROGRAM_offer VERBS ;;
  esac
  case $verb in
)sh";

// The second word of a group; after it, both are the verb.
std::string group_case(const std::string& group, const Program& program) {
  return fmt::format(
      "    {0})\n      if ((COMP_CWORD == 2)); then\n        _{1}_offer {2} --help\n"
      "        return\n      fi\n      verb+=\" ${{COMP_WORDS[2]}}\"\n      ;;\n",
      group, program.name, base::join(own_words(in_group(program.verbs, group)), " "));
}

std::string action_of(const Flag& flag, const std::string& name) {
  const std::string helper = "_" + name;
  std::string words;
  switch (flag.kind) {
    case ValueKind::choice:
      for (const std::string& choice : flag.choices) words += " " + shell_quoted(choice);
      return helper + (flag.repeats ? "_list" : "_offer") + words;
    case ValueKind::file:
      return helper + "_paths -f";
    case ValueKind::folder:
      return helper + "_paths -d";
    case ValueKind::model:
      return helper + "_models";
    case ValueKind::free:
    case ValueKind::none:
      break;
  }
  return ":";  // nothing to offer
}

std::string case_of(const Verb& verb, const std::string& name) {
  std::string values, names, arguments = ":";
  for (const Flag& flag : verb.flags) {
    if (flag.positional) {
      arguments = action_of(flag, name);
      continue;
    }
    names += " " + base::join(flag.names, " ");
    if (flag.kind == ValueKind::none || flag.value_optional) continue;
    values += fmt::format("        {}) {}; return ;;\n", base::join(flag.names, " | "),
                          action_of(flag, name));
  }
  const std::string words =
      values.empty() ? "" : "      case $before in\n" + values + "      esac\n";
  return fmt::format(
      "    '{0}')\n{1}      if [[ $typed == -* ]]; then\n        _{2}_offer{3}\n      else\n"
      "        {4}\n      fi\n      ;;\n",
      verb.name, words, name, names, arguments);
}

std::string with(std::string text, std::string_view word, const std::string& by) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
  return text;
}

}  // namespace

std::string bash_completion(const Program& program) {
  const std::vector<std::string> words = first_words(program.verbs);
  std::string groups;
  for (const std::string& word : words) {
    if (!in_group(program.verbs, word).empty()) groups += group_case(word, program);
  }
  std::string script = fmt::format(
      "# Completion of {0} for bash, made by `{0} completion bash`.\n"
      "# shellcheck shell=bash\n",
      program.name);
  const std::string helpers = with(std::string(kHelpers), "PROGRAM", program.name);
  script += with(with(helpers, "VERBS", base::join(words, " ")), "GROUPS", groups);
  for (const Verb& verb : program.verbs) script += case_of(verb, program.name);
  return script + fmt::format("  esac\n}}\n\ncomplete -F _{0} {0}\n", program.name);
}

}  // namespace batchscope::commandline
