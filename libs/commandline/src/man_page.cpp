#include "batchscope/commandline/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "batchscope/base/strings.hpp"
#include "batchscope/commandline/help.hpp"

namespace batchscope::commandline {
namespace {

// As plain text: a hyphen stays one that can be copied, a dot or quote that begins a line is no
// request.
std::string plain(std::string_view text) {
  std::string made;
  for (const char each : text) {
    const bool begins = made.empty() || made.back() == '\n';
    if (begins && (each == '.' || each == '\'')) made += "\\&";
    if (each == '\\') {
      made += "\\e";
    } else if (each == '-') {
      made += "\\-";
    } else {
      made += each;
    }
  }
  return made;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char each) { return static_cast<char>(std::toupper(each)); });
  return text;
}

std::string section(const std::string& title) {
  return ".SH \"" + upper(title) + "\"\n";
}

std::string bold(const std::string& text) {
  return "\\fB" + plain(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + plain(text) + "\\fR";
}

std::string item(const std::string& term, std::string_view tells) {
  return ".TP\n" + bold(term) + "\n" + plain(tells) + "\n";
}

// The names bold, the value in italics.
std::string term_of(const Flag& flag) {
  if (flag.positional) return italic(flag_words(flag));
  const std::string words = bold(base::join(flag.names, ", "));
  if (flag.kind == ValueKind::none) return words;
  return words + (flag.value_optional ? "[=" + italic(flag.value) + "]" : " " + italic(flag.value));
}

std::string verb_section(const Program& program, const Verb& verb) {
  std::string text = section(program.name + " " + verb.name);
  text +=
      ".nf\n" + bold(usage_line(program, verb)) + "\n.fi\n.PP\n" + plain(verb.description) + "\n";
  std::string group;
  for (const Flag& flag : verb.flags) {
    if (flag.group != group) text += ".SS \"" + plain(flag.group) + "\"\n";
    group = flag.group;
    text += ".TP\n" + term_of(flag) + "\n" + plain(flag.help) + "\n";
  }
  return text;
}

std::string rows(const std::string& title, const std::vector<Program::Row>& listed) {
  if (listed.empty()) return "";
  std::string text = section(title);
  for (const Program::Row& row : listed) text += item(row.name, row.tells);
  return text;
}

}  // namespace

std::string man_page(const Program& program) {
  std::string text = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n", upper(program.name),
                                 program.name, program.version);
  text += section("Name") + plain(program.name) + " \\- " + plain(program.tells) + "\n";
  text += section("Synopsis") + fmt::format(".B {}\n.I VERB\n[flags]\n", program.name);
  text += section("Verbs");
  for (const Verb& verb : program.verbs) text += item(verb.name, verb.tells);
  for (const Verb& verb : program.verbs) text += verb_section(program, verb);
  text += rows("Exit status", program.exit_codes) + rows("Environment", program.variables);
  text += section("Examples");
  for (const std::string& example : program.examples)
    text += ".PP\n.nf\n" + plain(example) + "\n.fi\n";
  return text;
}

}  // namespace batchscope::commandline
