#include "batchscope/commandline/help.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::commandline {
namespace {

constexpr const char* kUsual = "Usual flags";
constexpr std::size_t kHelpColumn = 32;  // where the text of a flag begins
constexpr std::size_t kIndent = 2;
constexpr std::size_t kNarrowest = 24;  // columns of text

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
  }));
}

std::string heading(const std::string& text, bool colour) {
  return (colour ? "\033[1m" + text + ":\033[0m" : text + ":") + "\n";
}

// Broken between words so that no line passes `width`; further lines begin at `column`.
std::string wrapped(std::string_view text, std::size_t column, std::size_t width) {
  const std::size_t room = std::max(width > column ? width - column : 0, kNarrowest);
  std::string lines;
  std::size_t used = 0;
  for (const std::string_view word : base::split(text, ' ')) {
    if (word.empty()) continue;
    const std::size_t length = columns(word);
    if (used > 0 && used + 1 + length > room) {
      lines += "\n" + std::string(column, ' ');
      used = 0;
    }
    lines.append(used > 0 ? " " : "").append(word);
    used += length + (used > 0 ? 1 : 0);
  }
  return lines;
}

// What stands on the left, and beside or below it what it means.
std::string row(const std::string& left, std::string_view tells, std::size_t column,
                std::size_t width) {
  std::string line = std::string(kIndent, ' ') + left;
  if (line.size() + kIndent > column) {
    line += "\n" + std::string(column, ' ');
  } else {
    line.resize(column, ' ');
  }
  return line + wrapped(tells, column, width) + "\n";
}

// A verb a line, with what it does.
std::string verb_rows(const std::vector<const Verb*>& verbs, std::size_t width) {
  std::size_t column = 0;
  for (const Verb* verb : verbs) column = std::max(column, verb->name.size());
  std::string text;
  for (const Verb* verb : verbs) {
    text += row(verb->name, verb->tells, kIndent + column + kIndent, width);
  }
  return text;
}

// Long names stand below each other, whether there is a short one or not.
std::string in_column(const Flag& flag) {
  const bool has_short = flag.positional || flag.names.front().size() == 2;
  return has_short ? flag_words(flag) : "    " + flag_words(flag);
}

// Up to a semicolon that is in no parentheses.
std::string_view first_clause(std::string_view text) {
  int depth = 0;
  const auto end = std::ranges::find_if(text, [&](char c) {
    depth += (c == '(') - (c == ')');
    return c == ';' && depth == 0;
  });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

std::string beginning(const ProgramDescription& program, const Verb& verb, std::size_t width) {
  return "Usage: " + usage_line(program, verb) + "\n\n" + wrapped(verb.description, 0, width) +
         "\n";
}

std::string example_lines(const std::vector<std::string>& examples, bool colour) {
  if (examples.empty()) return "";
  return "\n" + heading("Examples", colour) + "  " + base::join(examples, "\n  ") + "\n";
}

std::string where_the_others_are(const ProgramDescription& program, const Verb& verb) {
  std::vector<std::string> topics;
  for (const FlagGroup& group : program.groups) {
    const bool has_flags = std::ranges::any_of(
        verb.flags, [&](const Flag& flag) { return !flag.usual && flag.group == group.heading; });
    if (has_flags) topics.emplace_back(group.topic);
  }
  const std::string all =
      fmt::format("All {} flags: {} {} --help-all.", verb.flags.size(), program.name, verb.name);
  if (topics.empty()) return all;
  return fmt::format("{} One group: {} help {}.", all, program.name, base::join(topics, "|"));
}

}  // namespace

std::string flag_words(const Flag& flag) {
  if (flag.positional) return flag.name() + (flag.repeats ? "..." : "");
  const std::string names = base::join(flag.names, ", ");
  if (flag.kind == ValueKind::none) return names;
  return flag.value_optional ? names + "[=" + flag.value + "]" : names + " " + flag.value;
}

std::string broken_lines(std::string_view text, int width) {
  const auto broken = [&](std::string_view line) {
    return wrapped(line, 0, static_cast<std::size_t>(width));
  };
  return base::join(base::mapped(base::split(text, '\n'), broken), "\n");
}

std::string usage_line(const ProgramDescription& program, const Verb& verb) {
  std::string line = program.name + " " + verb.name;
  for (const Flag& flag : verb.flags) {
    if (flag.positional)
      line += " " + (flag.required ? flag_words(flag) : "[" + flag_words(flag) + "]");
    if (!flag.positional && flag.required) line += " " + flag.name() + " " + flag.value;
  }
  return line + " [flags]";
}

std::string help_text(const ProgramDescription& program, const Verb& verb, const HelpStyle& style) {
  const auto width = static_cast<std::size_t>(style.width);
  std::string text = beginning(program, verb, width);
  std::string group;
  for (const Flag& flag : verb.flags) {
    const std::string own = flag.usual ? kUsual : flag.group;
    if (own != group) text += "\n" + heading(own, style.colour);
    group = own;
    text += row(in_column(flag), flag.help, kHelpColumn, width);
  }
  return text + example_lines(verb.examples, style.colour);
}

std::string short_help(const ProgramDescription& program, const Verb& verb,
                       const HelpStyle& style) {
  if (verb.flags.size() <= kMostFlags) return help_text(program, verb, style);
  const auto width = static_cast<std::size_t>(style.width);
  std::string text = beginning(program, verb, width) + "\n";
  for (const Flag& flag : verb.flags) {
    if (!flag.usual && !flag.positional) continue;
    text += row(in_column(flag), first_clause(flag.help), kHelpColumn, width);
  }
  return text + example_lines(verb.examples, style.colour) + "\n" +
         wrapped(where_the_others_are(program, verb), 0, width) + "\n";
}

std::string flag_group_help(const ProgramDescription& program, const FlagGroup& group,
                            const HelpStyle& style) {
  const auto width = static_cast<std::size_t>(style.width);
  std::vector<std::pair<std::string, std::vector<std::string>>> shown;  // flags, and verbs
  for (const Verb& verb : program.verbs) {
    std::string rows;
    for (const Flag& flag : verb.flags) {
      if (flag.group == group.heading) rows += row(in_column(flag), flag.help, kHelpColumn, width);
    }
    const auto same = std::ranges::find(shown, rows, [](const auto& each) { return each.first; });
    if (same != shown.end()) same->second.push_back(verb.name);
    if (same == shown.end() && !rows.empty()) shown.push_back({rows, {verb.name}});
  }
  std::string text;
  for (const auto& [rows, verbs] : shown) {
    const std::string title = fmt::format("{} ({})", group.heading, base::join(verbs, ", "));
    text += (text.empty() ? "" : "\n") + heading(title, style.colour) + rows;
  }
  return text;
}

std::string overview(const ProgramDescription& program, const HelpStyle& style) {
  const auto width = static_cast<std::size_t>(style.width);
  std::string text = fmt::format("{} {}: {}\n\n", program.name, program.version, program.tells);
  text += fmt::format("Usage: {} VERB [flags]     ({} help VERB lists the flags)\n\n", program.name,
                      program.name);
  std::vector<const Verb*> verbs;
  for (const Verb& verb : program.verbs) verbs.push_back(&verb);
  text += verb_rows(verbs, width);
  return text + example_lines(program.examples, style.colour);
}

std::string group_overview(const ProgramDescription& program, std::string_view group,
                           const HelpStyle& style) {
  const std::string usage =
      fmt::format("Usage: {0} {1} VERB [flags]     ({0} help {1} VERB lists the flags)\n\n",
                  program.name, group);
  return usage + verb_rows(in_group(program.verbs, group), static_cast<std::size_t>(style.width));
}

}  // namespace batchscope::commandline
