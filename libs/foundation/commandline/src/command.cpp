#include "batchscope/commandline/command.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "batchscope/base/file.hpp"
#include "batchscope/base/terminal.hpp"
#include "batchscope/commandline/standard_streams.hpp"
#include "batchscope/commandline/usage_error.hpp"

namespace batchscope::commandline {
namespace {

constexpr const char* kOldFlags = "Old flags, for one more version";
constexpr const char* kProgram = "batchscope";
constexpr int kUsualWidth = 100;     // where nobody says how wide
constexpr int kMostHelpWidth = 120;  // longer lines are hard to read
constexpr int64_t kMostConfigBytes = int64_t{1} << 20;

// Where describe() wants the flags of the verb that it calls; null while verbs are to run.
thread_local Verb* wanted = nullptr;

// Which is wrong beside --help, too.
bool has_unknown_flag(const CLI::App& app) {
  const std::vector<std::string> rest = app.remaining();
  return std::ranges::any_of(rest, [](const std::string& word) {
    return word.size() > 1 && word.front() == '-' && word != "--";
  });
}

// CLI11 would wait for a pipe for ever, and read what has no end; an empty name it passes over.
std::string check_config(const std::string& name) {
  if (name.empty()) throw CLI::FileError("no file given");
  const auto text = base::read_file(name, kMostConfigBytes);
  if (!text) throw CLI::FileError(name + ": " + text.error().what);
  return {};
}

void add_config(CLI::App& app) {
  app.set_config("--config", "", "read flags from a TOML file (long names, without the dashes)")
      ->check(check_config)
      ->type_name("FILE");
  app.allow_config_extras(CLI::config_extras_mode::error);
}

}  // namespace

ExitCode exit_code(const base::Error& error) {
  switch (error.kind) {
    case base::ErrorKind::usage:
      return kUsage;
    case base::ErrorKind::input:
      return kInput;
    case base::ErrorKind::interrupted:
      return kInterrupted;
    case base::ErrorKind::failed:
    case base::ErrorKind::out_of_memory:
      break;
  }
  return kFailed;
}

int fail(const base::Log& log, const base::Error& error) {
  log.error(error);
  return exit_code(error);
}

Command::Command(std::string_view verb, std::string_view description)
    : app_(std::make_unique<CLI::App>(std::string(description),
                                      std::string(kProgram) + " " + std::string(verb))),
      verb_(verb) {
  app_->set_help_flag("-h,--help", "show the usual flags");
  app_->set_help_all_flag("--help-all", "show every flag");
  add_config(*app_);
}

Command::~Command() = default;
Command::Command(Command&&) noexcept = default;

Verb Command::described() const {
  std::vector<Flag> flags = flags_of(*app_, usual_);
  // Last, since they go; until then Python's keywords are made of them.
  std::stable_partition(flags.begin(), flags.end(),
                        [&](const Flag& flag) { return !is_old_flag(flag.name(), merged_); });
  for (Flag& flag : flags) {
    if (is_old_flag(flag.name(), merged_)) flag.group = kOldFlags;
  }
  return {verb_, "", app_->get_description(), std::move(flags), examples_};
}

int Command::show(Help help) const {
  const int width = std::min(base::columns_of(STDOUT_FILENO, kUsualWidth), kMostHelpWidth);
  const HelpStyle style{width, base::shows_colour(STDOUT_FILENO)};
  const auto shown = print(help({.name = kProgram, .groups = groups_}, described(), style));
  return shown ? kDone : fail(base::Log(), shown.error());
}

void Command::merge(std::span<const MergedFlag> flags) {
  for (const MergedFlag& flag : flags) {
    if (app_->get_option_no_throw(std::string(flag.flag)) == nullptr) continue;
    merged_.push_back(flag);
  }
}

bool Command::parse(const std::vector<std::string>& arguments, int& exit) {
  exit = kDone;
  if (wanted != nullptr) {
    *wanted = described();
    return false;
  }
  if (isatty(STDERR_FILENO) == 1) {  // not in the logs of what runs each night
    for (const std::string& note : notes_on_old_flags(arguments, merged_)) base::Log().info(note);
  }
  auto words = written_out(arguments, merged_);
  if (words) return parse_written_out(std::move(*words), exit);
  exit = fail(base::Log(), words.error());
  return false;
}

bool Command::parse_written_out(std::vector<std::string> arguments, int& exit) {
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them last first
  try {
    app_->parse(arguments);
    return true;
  } catch (const CLI::Success& asked) {
    const bool all = dynamic_cast<const CLI::CallForAllHelp*>(&asked) != nullptr;
    exit = has_unknown_flag(*app_) ? fail(base::Log(), usage_error(*app_, asked))
                                   : show(all ? help_text : short_help);
  } catch (const CLI::ParseError& error) {
    exit = fail(base::Log(), usage_error(*app_, error));
  }
  return false;
}

Verb describe(std::string_view name, std::string_view tells, VerbMain verb) {
  Verb made;
  wanted = &made;
  static_cast<void>(verb({}));
  wanted = nullptr;
  made.name = name;
  made.tells = tells;
  return made;
}

}  // namespace batchscope::commandline
