#include "batchscope/commandline/usage_error.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <optional>

#include "batchscope/base/nearest.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/commandline/description.hpp"

namespace batchscope::commandline {
namespace {

using base::Error;
using base::ErrorKind;

// "batchscope help profile lists the flags", of the parser named "batchscope profile".
std::string lists_flags(const CLI::App& app) {
  const std::string& name = app.get_name();
  const auto space = name.find(' ');
  if (space == std::string::npos) return name + " --help lists the flags";
  return name.substr(0, space) + " help" + name.substr(space) + " lists the flags";
}

std::vector<std::string> names_of(const std::vector<Flag>& flags) {
  std::vector<std::string> names;
  for (const Flag& flag : flags) {
    if (!flag.positional) names.insert(names.end(), flag.names.begin(), flag.names.end());
  }
  return names;
}

Error usage(std::string what, std::string where, std::string fix) {
  return {ErrorKind::usage, std::move(what), std::move(where), std::move(fix)};
}

// Where a name stands as a word of its own; npos: nowhere.
std::size_t place_in(std::string_view message, std::string_view name) {
  for (auto at = message.find(name); at != message.npos; at = message.find(name, at + 1)) {
    const auto end = at + name.size();
    const bool begins = at == 0 || message[at - 1] == ' ';
    if (begins && (end == message.size() || message.find_first_of(": ,", end) == end)) return at;
  }
  return message.npos;
}

// The flag that a message names first.
std::optional<Flag> flag_in(const std::vector<Flag>& flags, std::string_view message) {
  std::optional<Flag> first;
  std::size_t earliest = message.npos;
  for (const Flag& flag : flags) {
    const std::size_t place = place_in(message, flag.name());
    if (place >= earliest) continue;
    earliest = place;
    first = flag;
  }
  return first;
}

// What nothing in the parser takes: a flag that nobody knows, else a word too many.
std::optional<Error> left_over(const CLI::App& app, const std::vector<Flag>& flags) {
  std::vector<std::string> rest = app.remaining();
  std::erase(rest, "--");  // which ends the flags, and is none
  const auto dashed = std::find_if(rest.begin(), rest.end(), [](const std::string& word) {
    return word.size() > 1 && word.front() == '-';
  });
  if (dashed != rest.end()) {
    const std::string typed = dashed->substr(0, dashed->find('='));
    return usage(fmt::format("'{}' is not a flag of {}", typed, app.get_name()), "",
                 base::did_you_mean(typed, names_of(flags)) + lists_flags(app));
  }
  if (rest.empty()) return std::nullopt;
  const bool takes =
      std::any_of(flags.begin(), flags.end(), [](const Flag& flag) { return flag.positional; });
  return usage(
      fmt::format("unexpected argument '{}'", rest.front()), app.get_name(),
      (takes ? "give fewer arguments; " : "write the flag before its value; ") + lists_flags(app));
}

// "Value 0 not in range 1 to 5": what was typed, and what may be.
std::string wanted_number(const std::string& type) {
  if (type.find("POSITIVE") != std::string::npos && type.find("NONNEGATIVE") == std::string::npos)
    return "a number above 0";
  if (type.find("NONNEGATIVE") != std::string::npos) return "a number, 0 or above";
  const auto open = type.find('[');
  const auto between = type.find(" - ", open);
  const auto close = type.find(']', open);
  const bool integer = type.starts_with("INT") || type.starts_with("UINT");
  const std::string number = integer ? "an integer" : "a number";
  if (open == std::string::npos || between == std::string::npos || close == std::string::npos)
    return number;
  return fmt::format("{} from {} to {}", number, type.substr(open + 1, between - open - 1),
                     type.substr(between + 3, close - between - 3));
}

std::string example_of(const Flag& flag) {
  return fmt::format("write {} {}", flag.name(), flag.value);
}

// What was typed after a flag, or the last of it.
std::string typed_after(const CLI::App& app, const Flag& flag) {
  const CLI::Option* option = app.get_option_no_throw(flag.name());
  if (option == nullptr || option->results().empty()) return "";
  const auto& typed = option->results();
  const auto wrong = std::find_if(typed.begin(), typed.end(), [&](const std::string& each) {
    return std::find(flag.choices.begin(), flag.choices.end(), each) == flag.choices.end();
  });
  return !flag.choices.empty() && wrong != typed.end() ? *wrong : typed.back();
}

// A value that its flag does not take.
Error wrong_value(const CLI::App& app, const Flag& flag) {
  const std::string typed = typed_after(app, flag);
  if (flag.kind == ValueKind::choice) {
    return usage(
        fmt::format("invalid value '{}'", typed), flag.name(),
        base::did_you_mean(typed, flag.choices) + "choose " + base::join(flag.choices, ", "));
  }
  if (flag.kind == ValueKind::none) {
    return usage("takes no value", flag.name(), "write " + flag.name() + " alone");
  }
  const CLI::Option* option = app.get_option_no_throw(flag.name());
  return usage(fmt::format("'{}' is not {}", typed, wanted_number(option->get_type_name())),
               flag.name(), example_of(flag));
}

Error wrong_count(const CLI::App& app, const Flag& flag) {
  const CLI::Option* option = app.get_option_no_throw(flag.name());
  const std::size_t times = option == nullptr ? 0 : option->results().size();
  if (flag.kind == ValueKind::none) return wrong_value(app, flag);
  if (times > 1 && !flag.repeats) {
    return usage(fmt::format("appears {} times", times), flag.name(), "give it once");
  }
  return usage("needs a value", flag.name(), example_of(flag));
}

Error missing(const CLI::App& app, const Flag& flag) {
  const std::string words = flag.positional ? flag.name() : flag.name() + " " + flag.value;
  return usage("is missing", flag.name(), "add " + words + "; " + lists_flags(app));
}

// "--only requires --diagnose", "--a excludes --b".
std::optional<Error> of_two(const std::string& message) {
  for (const std::string_view verb : {" requires ", " excludes "}) {
    const auto at = message.find(verb);
    if (at == std::string::npos) continue;
    const std::string first = message.substr(0, at);
    const std::string second = message.substr(at + verb.size());
    if (verb == " requires ") {
      return usage("needs " + second, first, "add " + second + ", or omit this flag");
    }
    return usage("exclude each other", first + ", " + second, "omit one");
  }
  return std::nullopt;
}

// CLI11 takes any line for a key: one that cannot be a flag's name tells that the file is no TOML.
Error config_error(std::string_view message, const CLI::App& app, const std::vector<Flag>& flags) {
  constexpr std::string_view kUnknown = "INI was not able to parse ";
  if (!message.starts_with(kUnknown)) return usage(std::string(message), "--config", "omit it");
  const std::string key(message.substr(kUnknown.size()));
  const bool name = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
  if (!name) {
    return {ErrorKind::input, "'" + key + "' is not a line of TOML", "--config",
            "write one flag = value per line"};
  }
  return usage("'" + key + "' is not a flag", "--config",
               base::did_you_mean(key, names_of(flags)) + lists_flags(app));
}

}  // namespace

Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::string message = error.what();
  const std::vector<Flag> flags = flags_of(app);
  if (dynamic_cast<const CLI::FileError*>(&error) != nullptr) {
    return {ErrorKind::input, message, "--config",
            "give a TOML file of at most 1 MiB, with one flag = value per line"};
  }
  if (dynamic_cast<const CLI::ConfigError*>(&error) != nullptr)
    return config_error(message, app, flags);
  // What else is wrong often follows from a flag that was misspelt.
  if (auto unknown = left_over(app, flags)) return *std::move(unknown);
  if (auto pair = of_two(message)) return *std::move(pair);
  const auto flag = flag_in(flags, message);
  if (!flag) return usage(message, app.get_name(), lists_flags(app));
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return missing(app, *flag);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return wrong_count(app, *flag);
  return wrong_value(app, *flag);
}

}  // namespace batchscope::commandline
