#include "batchscope/commandline/program.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "batchscope/base/nearest.hpp"
#include "batchscope/base/terminal.hpp"
#include "batchscope/commandline/completion.hpp"
#include "batchscope/commandline/help.hpp"
#include "batchscope/commandline/man_page.hpp"
#include "batchscope/commandline/standard_streams.hpp"

namespace batchscope::commandline {
namespace {

constexpr int kOverviewWidth = 100;  // where nobody says how wide

// What the scripts ask for while somebody types.
constexpr std::string_view kModels = "models";

int say(const std::string& text) {
  const auto said = print(text);
  return said ? static_cast<int>(kDone) : fail(base::Log(), said.error());
}

// The verbs that this file answers for.
Command completion_command(std::string& shell) {
  Command command("completion",
                  "Print a script that completes verbs, flags, values and names of models, for "
                  "bash, zsh or fish. An installed package has the scripts in place. Otherwise "
                  "save it as ~/.local/share/bash-completion/completions/batchscope, as "
                  "_batchscope in a folder of zsh's $fpath, or as "
                  "~/.config/fish/completions/batchscope.fish.");
  command.app()
      .add_option("SHELL", shell, "the shell that runs the script")
      ->required()
      ->type_name("bash|zsh|fish");
  return command;
}

Command man_command() {
  return {"man",
          "Print the manual page. An installed package has it in place; otherwise read it with: "
          "batchscope man | man -l -"};
}

int describe_completion(const std::vector<std::string>& arguments) {
  std::string shell;
  int exit = kDone;
  completion_command(shell).parse(arguments, exit);
  return exit;
}

int describe_man(const std::vector<std::string>& arguments) {
  int exit = kDone;
  man_command().parse(arguments, exit);
  return exit;
}

// Those that are listed, the program's own first.
std::vector<VerbRow> listed(const Interface& program) {
  std::vector<VerbRow> rows;
  for (const VerbRow& row : program.verbs) {
    if (!row.tells.empty()) rows.push_back(row);
  }
  rows.push_back({"completion", describe_completion, "a script that completes what you type"});
  rows.push_back({"man", describe_man, "the manual page"});
  return rows;
}

Program described(const Interface& program) {
  Program whole = program.about;
  for (const VerbRow& row : listed(program))
    whole.verbs.push_back(describe(row.name, row.tells, row.main));
  return whole;
}

int completion(const Interface& program, const std::vector<std::string>& arguments) {
  std::string typed;
  int exit = kDone;
  if (!completion_command(typed).parse(arguments, exit)) return exit;
  if (typed == kModels) return say(program.model_names());
  auto shell = base::value_of(kShells, "shell with completion", typed);
  return shell ? say(completion_script(*shell, described(program)))
               : fail(base::Log(), shell.error());
}

int man(const Interface& program, const std::vector<std::string>& arguments) {
  int exit = kDone;
  if (!man_command().parse(arguments, exit)) return exit;
  return say(man_page(described(program)));
}

// Without the flags of its verbs.
Program outline(const Interface& program) {
  Program bare = program.about;
  for (const VerbRow& row : listed(program))
    bare.verbs.push_back({std::string(row.name), std::string(row.tells), "", {}});
  return bare;
}

int help(const Interface& program) {
  const int width = base::columns_of(STDOUT_FILENO, kOverviewWidth);
  return say(overview(outline(program), {width, base::shows_colour(STDOUT_FILENO)}));
}

std::vector<std::string> verb_names(const Interface& program) {
  std::vector<std::string> names{"help"};
  for (const VerbRow& row : listed(program)) names.emplace_back(row.name);
  return names;
}

int unknown_verb(const Interface& program, const std::string& typed) {
  const std::string fix =
      base::did_you_mean(typed, verb_names(program)) + program.about.name + " help lists the verbs";
  return fail(base::Log(),
              {base::ErrorKind::usage, "'" + typed + "' is not a verb", program.about.name, fix});
}

int call(const Interface& program, const std::string& name,
         const std::vector<std::string>& arguments) {
  if (name == "completion") return completion(program, arguments);
  if (name == "man") return man(program, arguments);
  const auto verb = std::find_if(program.verbs.begin(), program.verbs.end(),
                                 [&](const VerbRow& row) { return row.name == name; });
  return verb == program.verbs.end() ? unknown_verb(program, name) : verb->main(arguments);
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
  const bool asks = first == "help" || first == "-h" || first == "--help";
  if (!asks) return call(program, first, {arguments.begin() + 1, arguments.end()});
  return arguments.size() == 1 ? help(program) : call(program, arguments[1], {"-h"});
}

}  // namespace batchscope::commandline
