#include "batchscope/commandline/program.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/nearest.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/terminal.hpp"
#include "batchscope/commandline/completion.hpp"
#include "batchscope/commandline/help.hpp"
#include "batchscope/commandline/standard_streams.hpp"

namespace batchscope::commandline {
namespace {

constexpr int kOverviewWidth = 100;  // where nobody says how wide

int say(const std::string& text) {
  const auto stated = print(text);
  return stated ? static_cast<int>(kDone) : fail(base::Log(), stated.error());
}

// The verbs that this file answers for.
Command completion_command(std::string& shell) {
  Command command("completion",
                  "Print a shell completion script for verbs, flags, values and model names. "
                  "Installed packages include the scripts. Otherwise, save it as "
                  "~/.local/share/bash-completion/completions/batchscope, as _batchscope in a "
                  "folder of zsh's $fpath, or as ~/.config/fish/completions/batchscope.fish.");
  command.app().add_option("SHELL", shell, "your shell")->required()->type_name("bash|zsh|fish");
  return command;
}

int describe_completion(const std::vector<std::string>& arguments) {
  std::string shell;
  int exit = kDone;
  completion_command(shell).parse(arguments, exit);
  return exit;
}

// Those that are listed, the program's own first.
std::vector<VerbRow> listed(const Interface& program) {
  std::vector<VerbRow> rows;
  for (const VerbRow& row : program.verbs) {
    if (!row.tells.empty()) rows.push_back(row);
  }
  rows.push_back({"completion", describe_completion, "shell completion script"});
  return rows;
}

ProgramDescription described(const Interface& program) {
  ProgramDescription full = program.about;
  for (const VerbRow& row : listed(program))
    full.verbs.push_back(describe(row.name, row.tells, row.main));
  return full;
}

base::Result<Shell> shell_named(std::string_view name) {
  return base::value_of(kShells, "shell with completion", name);
}

int completion(const Interface& program, const std::vector<std::string>& arguments) {
  std::string typed;
  int exit = kDone;
  if (!completion_command(typed).parse(arguments, exit)) return exit;
  const auto shell = shell_named(typed);
  return shell ? say(completion_script(*shell, program.about.name))
               : fail(base::Log(), shell.error());
}

// What the scripts call while somebody types: the shell, then the words.
int complete(const Interface& program, std::vector<std::string> words) {
  const auto shell = shell_named(words.empty() ? "" : words.front());
  if (!shell) return fail(base::Log(), shell.error());
  words.erase(words.begin());
  return say(candidates(*shell, described(program), std::move(words), program.model_names));
}

// Without the flags of its verbs.
ProgramDescription outline(const Interface& program) {
  ProgramDescription bare = program.about;
  for (const VerbRow& row : listed(program))
    bare.verbs.push_back({std::string(row.name), std::string(row.tells), "", {}});
  return bare;
}

HelpStyle style() {
  return {base::columns_of(STDOUT_FILENO, kOverviewWidth), base::shows_colour(STDOUT_FILENO)};
}

int help(const Interface& program) {
  return say(overview(outline(program), style()));
}

using Words = std::vector<std::string>;

bool asks_for_help(const std::string& word) {
  return word == "help" || word == "-h" || word == "--help";
}

int unknown(const Interface& program, const std::string& typed, const std::string& what,
            const Words& names) {
  const std::string fix =
      base::did_you_mean(typed, names) + program.about.name + " help lists the verbs";
  return fail(base::Log(), {base::ErrorKind::usage, what, program.about.name, fix});
}

int unknown_verb(const Interface& program, const std::string& typed) {
  Words names = first_words(outline(program).verbs);
  names.emplace_back("help");
  return unknown(program, typed, "'" + typed + "' is not a verb", names);
}

// A group without one of its verbs: what they are.
int group_help(const Interface& program, const std::string& group) {
  return say(group_overview(outline(program), group, style()));
}

int unknown_in_group(const Interface& program, const std::string& group, const std::string& typed) {
  const ProgramDescription full = outline(program);
  const Words own = own_words(in_group(full.verbs, group));
  const std::string fix = base::did_you_mean(typed, own) + "choose " + base::join(own, ", ");
  return fail(base::Log(), {base::ErrorKind::usage, "'" + typed + "' is not a verb of this group",
                            program.about.name + " " + group, fix});
}

const VerbRow* row_of(const Interface& program, const std::string& name) {
  const auto row = std::find_if(program.verbs.begin(), program.verbs.end(),
                                [&](const VerbRow& each) { return each.name == name; });
  return row == program.verbs.end() ? nullptr : &*row;
}

// What can be typed first, hidden verbs too.
bool is_verb(const Interface& program, const std::string& word) {
  const Words shown = first_words(outline(program).verbs);
  return row_of(program, word) != nullptr || base::contains(shown, word);
}

int call_in_group(const Interface& program, const Words& words) {
  const std::string& group = words.front();
  const bool is_alone = words.size() < 2;
  if (is_alone || asks_for_help(words[1])) {
    const int shown = group_help(program, group);
    return is_alone ? static_cast<int>(kUsage) : shown;
  }
  const VerbRow* const row = row_of(program, group + " " + words[1]);
  return row == nullptr ? unknown_in_group(program, group, words[1])
                        : row->main({words.begin() + 2, words.end()});
}

// The verb that the words begin with, with the rest.
int call(const Interface& program, const Words& words) {
  const std::string& name = words.front();
  const Words rest(words.begin() + 1, words.end());
  if (name == "completion") return completion(program, rest);
  if (name == "complete") return complete(program, rest);
  if (const VerbRow* const row = row_of(program, name)) return row->main(rest);
  const bool is_group = std::any_of(
      program.verbs.begin(), program.verbs.end(),
      [&](const VerbRow& row) { return words_of(row.name).group == name && !name.empty(); });
  return is_group ? call_in_group(program, words) : unknown_verb(program, name);
}

int help_on_topic(const Interface& program, const std::string& typed) {
  const auto& groups = program.about.groups;
  const auto group = std::ranges::find(groups, typed, &FlagGroup::topic);
  if (group != groups.end()) return say(flag_group_help(described(program), *group, style()));
  const std::string text = program.topics.text(typed);
  if (text.empty()) {
    Words names = first_words(outline(program).verbs);
    const Words topics = program.topics.names();
    names.insert(names.end(), topics.begin(), topics.end());
    for (const FlagGroup& each : groups) names.emplace_back(each.topic);
    return unknown(program, typed, "no help on '" + typed + "'", names);
  }
  // A file keeps the lines as they are.
  const int width = base::columns_of(STDOUT_FILENO, 0);
  return say(width > 0 ? broken_lines(text, width) : text);
}

// `help TOPIC`; `help VERB`, also `help GROUP VERB`: as VERB --help.
int help_with(const Interface& program, const Words& words) {
  Words asked(words.begin() + 1, words.end());
  if (asks_for_help(asked.front())) return help(program);
  if (program.topics.text != nullptr && !is_verb(program, asked.front()))
    return help_on_topic(program, asked.front());
  asked.emplace_back("--help");
  return call(program, asked);
}

}  // namespace

int run(const Interface& program, const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    help(program);
    return kUsage;
  }
  const std::string& first = arguments.front();
  if (first == "-V" || first == "--version")
    return say(program.about.name + " " + program.about.version + "\n");
  if (!asks_for_help(first)) return call(program, arguments);
  return arguments.size() == 1 ? help(program) : help_with(program, arguments);
}

}  // namespace batchscope::commandline
