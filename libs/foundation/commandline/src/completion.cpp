#include "batchscope/commandline/completion.hpp"

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::commandline {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t kLongestShortHelp = 70;

// What is offered is compared as text, never expanded: a model may be called "$(...)".
constexpr std::string_view kBash = R"sh(# Completion of PROGRAM for bash.
# shellcheck shell=bash
_PROGRAM() {
  local typed=${COMP_WORDS[COMP_CWORD]#=} line flag
  mapfile -t COMPREPLY < <("${1:-PROGRAM}" complete bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case ${COMPREPLY[*]: -1} in FILE) flag=-f ;; FOLDER) flag=-d ;; *) return 0 ;; esac
  unset 'COMPREPLY[-1]'; compopt -o filenames 2>/dev/null
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen $flag -- "$typed")
}
complete -F _PROGRAM PROGRAM
)sh";

constexpr std::string_view kZsh = R"sh(#compdef PROGRAM
_PROGRAM() {  # completion of PROGRAM for zsh
  local -a lines=("${(@f)$(_call_program words PROGRAM complete zsh ${(q)words[2,CURRENT]} 2>/dev/null)}")
  local -a offered=(${lines:#(FILE|FOLDER)})
  (( $#offered )) && _describe word offered
  compset -P '--*='
  (( $lines[(I)FILE] )) && _files
  (( $lines[(I)FOLDER] )) && _files -/
}
if [ "$funcstack[1]" = _PROGRAM ]; then _PROGRAM "$@"; else compdef _PROGRAM PROGRAM; fi
)sh";

constexpr std::string_view kFish = R"sh(function __PROGRAM  # completion of PROGRAM for fish
    set -l typed (string match -r -- '^((?:--[^=]*=)?)(.*)' (commandline -ct))
    set -l lines (PROGRAM complete fish (commandline -opc)[2..] $typed[1] 2>/dev/null)
    string match -v -r '^(FILE|FOLDER)$' -- $lines
    contains FILE $lines; and string replace -r '^' -- "$typed[2]" (__fish_complete_path $typed[3])
    contains FOLDER $lines; and string replace -r '^' -- "$typed[2]" (__fish_complete_directories $typed[3])
end
complete -c PROGRAM -f -a '(__PROGRAM)'
)sh";

struct Candidate {
  std::string word{};
  std::string tells{};
};
using Candidates = std::vector<Candidate>;

constexpr const char* kFiles = "FILE";
constexpr const char* kFolders = "FOLDER";

bool is_left_to_shell(const Candidate& candidate) {
  return candidate.word == kFiles || candidate.word == kFolders;
}

// The first clause of what a flag does, in one line.
std::string short_help(const Flag& flag) {
  std::string text = flag.help.substr(0, flag.help.find_first_of(";:("));
  if (text.size() > kLongestShortHelp) text.resize(text.rfind(' ', kLongestShortHelp));
  text.resize(text.find_last_not_of(" ,") + 1);
  return text;
}

std::string line_of(Shell shell, const Candidate& candidate) {
  if (shell == Shell::bash) return candidate.word;
  std::string word;
  for (const char each : candidate.word) {
    // zsh takes what follows a colon for what the word does.
    word += shell == Shell::zsh && each == ':' ? std::string("\\:") : std::string(1, each);
  }
  if (candidate.tells.empty()) return word;
  return word + (shell == Shell::zsh ? ":" : "\t") + candidate.tells;
}

// bash makes "--isolation=b" three words.
void join_at_equals(Words& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] != "=") continue;
    words[i - 1] += "=";
    if (i + 1 < words.size()) words[i - 1] += words[i + 1];
    const auto at = words.begin() + static_cast<std::ptrdiff_t>(i);
    words.erase(at, std::min(at + 2, words.end()));
  }
}

Candidates members_of(const std::vector<const Verb*>& members) {
  Candidates made;
  for (const Verb* verb : members)
    made.push_back({std::string(words_of(verb->name).own), verb->tells});
  made.push_back({"--help"});
  return made;
}

Candidates first_candidates(const ProgramDescription& program) {
  Candidates made;
  for (const std::string& word : first_words(program.verbs)) {
    const std::vector<const Verb*> members = in_group(program.verbs, word);
    const auto is = [&](const Verb& verb) { return verb.name == word; };
    made.push_back({word, members.empty()
                              ? std::find_if(program.verbs.begin(), program.verbs.end(), is)->tells
                              : base::join(own_words(members), ", ")});
  }
  return made;
}

Candidates values_of(const Flag& flag, std::string (*model_names)()) {
  Candidates made;
  if (flag.kind == ValueKind::model) {
    const std::string names = model_names();
    for (const std::string_view name : base::split(names, '\n')) {
      if (!name.empty()) made.push_back({std::string(name)});
    }
  }
  for (const std::string& choice : flag.choices) made.push_back({choice});
  if (flag.kind == ValueKind::model || flag.kind == ValueKind::file) made.push_back({kFiles});
  if (flag.kind == ValueKind::folder) made.push_back({kFolders});
  return made;
}

Candidates names_of(const Verb& verb) {
  Candidates made;
  for (const Flag& flag : verb.flags) {
    if (flag.positional) continue;
    for (const std::string& name : flag.names) made.push_back({name, short_help(flag)});
  }
  return made;
}

// What may stand for `typed` behind the other words of a verb.
Candidates arguments_of(const Verb& verb, const std::string& before, const std::string& typed,
                        std::string (*model_names)()) {
  const std::size_t equals = typed.starts_with("--") ? typed.find('=') : typed.npos;
  const std::string name = equals == typed.npos ? before : typed.substr(0, equals);
  const Flag* asked = nullptr;
  for (const Flag& flag : verb.flags) {
    const bool takes_next = flag.kind != ValueKind::none && !flag.value_optional;
    const bool matches = base::contains(flag.names, name) && (takes_next || equals != typed.npos);
    if (matches || (flag.positional && asked == nullptr)) asked = &flag;
  }
  const bool is_value = asked != nullptr && !asked->positional;
  if (!is_value && typed.starts_with("-")) return names_of(verb);
  if (asked == nullptr) return {};
  Candidates made = values_of(*asked, model_names);
  // What was typed of a list stays, and so does the flag.
  std::size_t kept = equals == typed.npos ? 0 : equals + 1;
  if (const auto comma = typed.rfind(','); asked->repeats && comma != typed.npos) kept = comma + 1;
  for (Candidate& each : made) {
    if (!is_left_to_shell(each)) each.word = typed.substr(0, kept) + each.word;
  }
  return made;
}

Candidates all_candidates(const ProgramDescription& program, Words words,
                          std::string (*model_names)()) {
  const std::string typed = words.back();
  words.pop_back();
  if (words.empty() || words == Words{"help"}) {
    Candidates made = first_candidates(program);
    if (words.empty()) made.insert(made.end(), {{"help"}, {"--help"}, {"--version"}});
    return made;
  }
  if (words.front() == "help") return {};
  std::string name = words.front();
  if (const std::vector<const Verb*> members = in_group(program.verbs, name); !members.empty()) {
    if (words.size() == 1) return members_of(members);
    name += " " + words[1];
  }
  const auto verb = std::find_if(program.verbs.begin(), program.verbs.end(),
                                 [&](const Verb& each) { return each.name == name; });
  if (verb == program.verbs.end()) return {};
  return arguments_of(*verb, words.back(), typed, model_names);
}

}  // namespace

std::string completion_script(Shell shell, std::string_view program) {
  constexpr std::string_view kName = "PROGRAM";
  std::string script(shell == Shell::bash ? kBash : shell == Shell::zsh ? kZsh : kFish);
  for (auto at = script.find(kName); at != script.npos; at = script.find(kName, at))
    script.replace(at, kName.size(), program);
  return script;
}

std::string candidates(Shell shell, const ProgramDescription& program, Words words,
                       std::string (*model_names)()) {
  if (words.empty()) words.emplace_back();
  if (shell == Shell::bash) join_at_equals(words);
  const std::string& typed = words.back();
  // bash replaces what stands behind the equals sign; the others the whole word.
  const std::size_t flag = typed.starts_with("--") ? typed.find('=') + 1 : 0;
  std::string lines;
  for (const Candidate& each : all_candidates(program, words, model_names)) {
    const bool is_path = is_left_to_shell(each);
    if (shell == Shell::bash && !is_path && !each.word.starts_with(typed)) continue;
    const std::size_t cut = shell == Shell::bash && !is_path ? flag : 0;
    lines += line_of(shell, {each.word.substr(cut), each.tells}) + "\n";
  }
  return lines;
}

}  // namespace batchscope::commandline
