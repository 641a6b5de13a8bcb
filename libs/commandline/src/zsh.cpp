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
  for (const Verb& verb : program.verbs)
    script += "    " + shell_quoted(verb.name + ":" + escaped(verb.tells)) + "\n";
  script += fmt::format(
      "  )\n  case $state in\n    verb) _describe verb verbs ;;\n    rest)\n"
      "      case $words[1] in\n      help) _describe verb verbs ;;\n");
  for (const Verb& verb : program.verbs) {
    script += fmt::format("      {}) _arguments -s \\\n", verb.name);
    for (const Flag& flag : verb.flags) script += specs_of(flag, name);
    script += "        ;;\n";
  }
  return script + fmt::format(
                      "      esac\n      ;;\n  esac\n}}\n\n"
                      "if [ \"$funcstack[1]\" = _{0} ]; then\n  _{0} \"$@\"\nelse\n"
                      "  compdef _{0} {0}\nfi\n",
                      name);
}

}  // namespace batchscope::commandline
