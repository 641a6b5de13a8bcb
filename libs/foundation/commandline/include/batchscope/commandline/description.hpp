#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

// Read first: what a verb takes, read off its parser. Help and completion are made of it, so that a
// new flag stands in both.
namespace batchscope::commandline {

// What the value of a flag can be completed to.
enum class ValueKind {
  none,    // it takes no value
  free,    // a number, a time, ...
  choice,  // one of a few words
  file,
  folder,
  model,  // a name, or a file
};

// A flag, or a positional argument.
struct Flag {
  std::vector<std::string> names{};  // "-b", "--batch-sizes"; of a positional argument: "RUN"
  std::string help{};
  std::string group{};                 // the heading of its group
  std::string value{};                 // what stands for its value: "TIME", "off|auto"
  std::vector<std::string> choices{};  // of that kind
  ValueKind kind = ValueKind::none;
  bool value_optional = false;  // --charts, --charts=FOLDER
  bool positional = false;
  bool required = false;
  bool repeats = false;  // takes several values
  bool usual = false;    // most calls need it

  const std::string& name() const { return names.back(); }  // the longest
};

// A verb with its flags in the order of the help.
struct Verb {
  std::string name{};         // "analyze"; of several in a group: "baseline save"
  std::string tells{};        // in one line, for a list of verbs
  std::string description{};  // in full
  std::vector<Flag> flags{};
  std::vector<std::string> examples{};  // the commonest commands
};

// A group of flags that `help TOPIC` shows.
struct FlagGroup {
  std::string_view topic;    // "loader"
  std::string_view heading;  // as the flags name it: "Training on files"
};

// A program with all its verbs.
struct ProgramDescription {
  std::string name{};
  std::string version{};
  std::string tells{};
  std::vector<Verb> verbs{};
  std::vector<std::string> examples{};
  std::span<const FlagGroup> groups{};
};

// "baseline" and "save"; of a verb that is in no group: "" and its name.
struct VerbWords {
  std::string_view group{};
  std::string_view own{};
};
VerbWords words_of(std::string_view name);

// What can be typed first: groups, and verbs that are in none, each once, in their order.
std::vector<std::string> first_words(const std::vector<Verb>& verbs);
// The verbs of a group; those in none where it is empty.
std::vector<const Verb*> in_group(const std::vector<Verb>& verbs, std::string_view group);
// What can be typed after it: their own words.
std::vector<std::string> own_words(const std::vector<const Verb*>& verbs);

// The flags of a parser. Those that are named in `usual` come first, in that order; the groups
// follow in the order in which they were added, and what has none comes last. What stands for a
// value says what it is: a type name with bars ("fp32|bf16") has choices, FILE, FOLDER and MODEL
// are completed as such, and so is a positional argument: to files.
std::vector<Flag> flags_of(const CLI::App& app, const std::vector<std::string>& usual = {});

}  // namespace batchscope::commandline
