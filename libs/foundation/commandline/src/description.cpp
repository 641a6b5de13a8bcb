#include "batchscope/commandline/description.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::commandline {
namespace {

constexpr const char* kArguments = "Arguments";
constexpr const char* kUngrouped = "Options";  // CLI11's name for what has no group

std::vector<std::string> parts_of(const std::string& text, char separator) {
  const auto parts = base::split(text, separator);
  return {parts.begin(), parts.end()};
}

// "TEXT:{off,auto}", as CLI11 writes what is checked to be one of a set, or "off|auto".
std::vector<std::string> choices_in(const std::string& type) {
  const auto open = type.find('{');
  const auto close = type.rfind('}');
  if (open != type.npos && close != type.npos && open < close)
    return parts_of(type.substr(open + 1, close - open - 1), ',');
  if (type.find('|') == type.npos) return {};
  return parts_of(type.substr(0, type.find(':')), '|');
}

std::string word_for(const std::string& type) {
  const std::string name = type.substr(0, type.find(':'));
  if (name == "INT" || name == "UINT") return "N";
  if (name == "FLOAT") return "X";
  return name.empty() || name == "TEXT" ? "VALUE" : name;
}

ValueKind kind_of(const Flag& flag) {
  if (!flag.choices.empty()) return ValueKind::choice;
  if (flag.value == "FOLDER") return ValueKind::folder;
  if (flag.value == "MODEL") return ValueKind::model;
  return flag.positional || flag.value == "FILE" ? ValueKind::file : ValueKind::free;
}

void add_names(std::vector<std::string>& names, const std::string& dashes,
               const std::vector<std::string>& more) {
  for (const std::string& name : more) names.push_back(dashes + name);
}

std::vector<std::string> names_of(const CLI::Option& option) {
  if (option.get_positional()) return {option.get_name(true)};
  std::vector<std::string> names;
  add_names(names, "-", option.get_snames());
  add_names(names, "--", option.get_lnames());
  return names;
}

Flag described(const CLI::Option& option) {
  Flag flag;
  flag.names = names_of(option);
  flag.help = option.get_description();
  flag.group = option.get_group();
  flag.positional = option.get_positional();
  flag.required = option.get_required();
  flag.repeats = option.get_expected_max() > 1;
  const std::string type = option.get_type_name();
  const bool takes_none = option.get_items_expected_max() == 0;
  flag.value_optional = takes_none && !option.get_fnames().empty();
  if (takes_none && !flag.value_optional) return flag;
  flag.choices = choices_in(type);
  flag.value = flag.choices.empty() ? word_for(type) : base::join(flag.choices, "|");
  flag.kind = kind_of(flag);
  if (flag.positional) flag.value = flag.name();
  return flag;
}

// Where a flag stands: arguments, usual flags, groups, the rest.
class Order {
 public:
  Order(const CLI::App& app, const std::vector<std::string>& usual)
      : usual_(usual), groups_(app.get_groups()) {}

  std::size_t usual_place(const Flag& flag) const {
    const auto named = [&](const std::string& name) { return base::contains(flag.names, name); };
    const auto place = std::find_if(usual_.begin(), usual_.end(), named);
    return static_cast<std::size_t>(place - usual_.begin());
  }
  bool is_usual(const Flag& flag) const { return usual_place(flag) < usual_.size(); }
  std::size_t rank(const Flag& flag) const {
    if (flag.positional) return 0;
    return 1 + (is_usual(flag) ? usual_place(flag) : usual_.size() + group_place(flag));
  }
  // What stands alone needs no telling apart.
  std::string heading(const Flag& flag) const {
    if (flag.positional) return kArguments;
    if (flag.group != kUngrouped) return flag.group;
    return usual_.empty() && groups_.size() < 2 ? "Flags" : "Other flags";
  }

 private:
  std::size_t group_place(const Flag& flag) const {
    if (flag.group == kUngrouped) return groups_.size();
    const auto place = std::find(groups_.begin(), groups_.end(), flag.group);
    return static_cast<std::size_t>(place - groups_.begin());
  }

  std::vector<std::string> usual_;
  std::vector<std::string> groups_;
};

}  // namespace

VerbWords words_of(std::string_view name) {
  const auto space = name.find(' ');
  if (space == name.npos) return {"", name};
  return {name.substr(0, space), name.substr(space + 1)};
}

std::vector<std::string> first_words(const std::vector<Verb>& verbs) {
  std::vector<std::string> words;
  for (const Verb& verb : verbs) {
    const VerbWords name = words_of(verb.name);
    const std::string first(name.group.empty() ? name.own : name.group);
    if (!base::contains(words, first)) words.push_back(first);
  }
  return words;
}

std::vector<const Verb*> in_group(const std::vector<Verb>& verbs, std::string_view group) {
  std::vector<const Verb*> members;
  for (const Verb& verb : verbs) {
    if (words_of(verb.name).group == group) members.push_back(&verb);
  }
  return members;
}

std::vector<std::string> own_words(const std::vector<const Verb*>& verbs) {
  std::vector<std::string> words;
  for (const Verb* verb : verbs) words.emplace_back(words_of(verb->name).own);
  return words;
}

std::vector<Flag> flags_of(const CLI::App& app, const std::vector<std::string>& usual) {
  const Order order(app, usual);
  std::vector<Flag> flags;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) flags.push_back(described(*option));
  }
  // CLI11 adds these first; they say the least.
  std::stable_partition(flags.begin(), flags.end(),
                        [](const Flag& flag) { return !flag.name().starts_with("--help"); });
  std::stable_sort(flags.begin(), flags.end(),
                   [&](const Flag& a, const Flag& b) { return order.rank(a) < order.rank(b); });
  for (Flag& flag : flags) {
    flag.usual = order.is_usual(flag);
    flag.group = order.heading(flag);
  }
  return flags;
}

}  // namespace batchscope::commandline
