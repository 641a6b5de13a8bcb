#include <fmt/format.h>

#include "batchscope/base/strings.hpp"
#include "shells.hpp"

namespace batchscope::commandline {
namespace {

// Within the brackets and colons of _arguments.
std::string escaped(const std::string& text) {
  std::string made;
  for (const char each : text) {
    if (each == '[' || each == ']' || each == ':' || each == '\\') made += '\\';
    made += each;
  }
  return made;
}

std::string action_of(const Flag& flag, const std::string& name) {
  switch (flag.kind) {
    case ValueKind::choice: {
      const std::string words = base::join(flag.choices, " ");
      return flag.repeats ? "_sequence compadd - " + words : "(" + words + ")";
    }
    case ValueKind::file:
      return "_files";
    case ValueKind::folder:
      return "_files -/";
    case ValueKind::model:
      return "_" + name + "_models";
    case ValueKind::free:
    case ValueKind::none:
      break;
  }
  return " ";  // nothing to offer
}

// A line of _arguments for each name of a flag.
std::string specs_of(const Flag& flag, const std::string& name) {
  const std::string action = action_of(flag, name);
  if (flag.positional) {
    return fmt::format("        {} \\\n", shell_quoted((flag.repeats ? "*:" : ":") +
                                                       escaped(flag.name()) + ":" + action));
  }
  const std::string others = flag.repeats ? "*" : "(" + base::join(flag.names, " ") + ")";
  std::string lines;
  for (const std::string& each : flag.names) {
    const bool is_long = each.starts_with("--");
    std::string spec = others + each;
    if (flag.value_optional) spec += "=-";
    if (flag.kind != ValueKind::none && !flag.value_optional) spec += is_long ? "=" : "+";
    spec += "[" + escaped(short_help(flag)) + "]";
    if (flag.kind != ValueKind::none)
      spec += (flag.value_optional ? "::" : ":") + escaped(flag.value) + ":" + action;
    lines += "        " + shell_quoted(spec) + " \\\n";
  }
  return lines;
}

// The _arguments of each verb, by the first of `words`.
std::string cases_of(const std::vector<const Verb*>& verbs, const std::string& name) {
  std::string cases;
  for (const Verb* verb : verbs) {
    cases += fmt::format("      {}) _arguments -s \\\n", words_of(verb->name).own);
    for (const Flag& flag : verb->flags) cases += specs_of(flag, name);
    cases += "        ;;\n";
  }
  return cases;
}

// "    'clean:cleans up'" a line.
std::string rows_of(const std::vector<const Verb*>& verbs) {
  std::string rows;
  for (const Verb* verb : verbs) {
    const std::string own(words_of(verb->name).own);
    rows += "    " + shell_quoted(own + ":" + escaped(verb->tells)) + "\n";
  }
  return rows;
}

// Its verbs are the second word; after it, they are as others.
std::string group_case(const std::string& group, const Program& program) {
  const std::vector<const Verb*> members = in_group(program.verbs, group);
  return fmt::format(
      "      {})\n      local -a members\n      members=(\n{}      )\n"
      "      if (( CURRENT == 2 )); then\n        _describe verb members\n"
      "        return\n      fi\n"
      "      shift words\n      (( CURRENT-- ))\n      case $words[1] in\n{}      esac\n"
      "      ;;\n",
      group, rows_of(members), cases_of(members, program.name));
}

std::vector<std::string> groups_of(const Program& program) {
  std::vector<std::string> groups = first_words(program.verbs);
  std::erase_if(groups,
                [&](const std::string& word) { return in_group(program.verbs, word).empty(); });
  return groups;
}

}  // namespace

std::string zsh_completion(const Program& program) {
  const std::string& name = program.name;
  std::string script = fmt::format(
      "#compdef {0}\n# Completion of {0} for zsh, made by `{0} completion zsh`.\n\n"
      "_{0}_models() {{\n  local -a names\n"
      "  names=(${{(f)\"$(_call_program models {0} completion models 2>/dev/null)\"}})\n"
      "  _alternative 'models:model:compadd -a names' 'files:file:_files'\n}}\n\n"
      "_{0}() {{\n  local curcontext=$curcontext state line\n  typeset -A opt_args\n"
      "  _arguments -C '1:verb:->verb' '*::argument:->rest'\n"
      "  local -a verbs\n  verbs=(\n",
      name);
  const std::vector<std::string> groups = groups_of(program);
  const std::vector<const Verb*> alone = in_group(program.verbs, "");
  script += rows_of(alone);
  for (const std::string& group : groups) {
    const std::string own = base::join(own_words(in_group(program.verbs, group)), ", ");
    script += "    " + shell_quoted(group + ":" + own) + "\n";
  }
  script += fmt::format(
      "  )\n  case $state in\n    verb) _describe verb verbs ;;\n    rest)\n"
      "      case $words[1] in\n      help) _describe verb verbs ;;\n");
  script += cases_of(alone, name);
  for (const std::string& group : groups) script += group_case(group, program);
  return script + fmt::format(
                      "      esac\n      ;;\n  esac\n}}\n\n"
                      "if [ \"$funcstack[1]\" = _{0} ]; then\n  _{0} \"$@\"\nelse\n"
                      "  compdef _{0} {0}\nfi\n",
                      name);
}

}  // namespace batchscope::commandline
