#include <fmt/format.h>

#include "batchscope/base/strings.hpp"
#include "shells.hpp"

namespace batchscope::commandline {
namespace {

// Within single quotes fish takes \' and \\ for what follows the backslash.
std::string fish_quoted(const std::string& text) {
  std::string made = "'";
  for (const char each : text) {
    if (each == '\'' || each == '\\') made += '\\';
    made += each;
  }
  return made + "'";
}

std::string action_of(const Flag& flag, const std::string& name) {
  switch (flag.kind) {
    case ValueKind::choice:
      return " -x -a " + fish_quoted(base::join(flag.choices, " "));
    case ValueKind::file:
      return " -r -F";
    case ValueKind::folder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::model:
      return fmt::format(" -r -F -a '({} completion models 2>/dev/null)'", name);
    case ValueKind::free:
      return " -x";
    case ValueKind::none:
      break;
  }
  return "";
}

std::string line_of(const Flag& flag, const std::string& name, const std::string& condition) {
  std::string line = fmt::format("complete -c {} -n {}", name, condition);
  if (flag.positional) {
    return line +
           (flag.kind == ValueKind::choice ? " -a " + fish_quoted(base::join(flag.choices, " "))
                                           : std::string(" -F")) +
           "\n";
  }
  for (const std::string& each : flag.names)
    line += each.starts_with("--") ? " -l " + each.substr(2) : " -s " + each.substr(1);
  if (!flag.value_optional) line += action_of(flag, name);
  return line + " -d " + fish_quoted(short_help(flag)) + "\n";
}

// That a verb has been typed; its own word may be that of another beside a group.
std::string condition_of(const Verb& verb, const Program& program) {
  const VerbWords words = words_of(verb.name);
  const auto typed = [](std::string_view word) {
    return fmt::format("__fish_seen_subcommand_from {}", word);
  };
  if (!words.group.empty()) return "'" + typed(words.group) + "; and " + typed(words.own) + "'";
  std::string condition = typed(words.own);
  for (const Verb& other : program.verbs) {
    const VerbWords its = words_of(other.name);
    const bool same = !its.group.empty() && its.own == words.own;
    if (same) condition += "; and not " + typed(its.group);
  }
  return "'" + condition + "'";
}

// The word that comes next, where the group's name has been typed.
std::string offer_of(const Verb& verb, const Program& program) {
  const VerbWords words = words_of(verb.name);
  const std::string all = base::join(own_words(in_group(program.verbs, words.group)), " ");
  const std::string when =
      words.group.empty()
          ? "__fish_use_subcommand"
          : fmt::format("'__fish_seen_subcommand_from {}; and not __fish_seen_subcommand_from {}'",
                        words.group, all);
  return fmt::format("complete -c {} -n {} -a {} -d {}\n", program.name, when, words.own,
                     fish_quoted(verb.tells));
}

}  // namespace

std::string fish_completion(const Program& program) {
  const std::string& name = program.name;
  std::string script = fmt::format(
      "# Completion of {0} for fish, made by `{0} completion fish`.\ncomplete -c {0} -f\n", name);
  const std::vector<std::string> words = first_words(program.verbs);
  for (const Verb& verb : program.verbs) script += offer_of(verb, program);
  for (const std::string& word : words) {
    const std::string own = base::join(own_words(in_group(program.verbs, word)), ", ");
    if (own.empty()) continue;
    script += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", name, word,
                          fish_quoted(own));
  }
  script += fmt::format(
      "complete -c {0} -n __fish_use_subcommand -a help -d 'the flags of a verb'\n"
      "complete -c {0} -n '__fish_seen_subcommand_from help' -a {1}\n",
      name, fish_quoted(base::join(words, " ")));
  for (const Verb& verb : program.verbs) {
    const std::string condition = condition_of(verb, program);
    for (const Flag& flag : verb.flags) script += line_of(flag, name, condition);
  }
  return script;
}

}  // namespace batchscope::commandline
