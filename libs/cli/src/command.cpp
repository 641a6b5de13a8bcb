#include "command.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "batchscope/base/file.hpp"
#include "subject_flags.hpp"

namespace batchscope::cli {

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

base::Log make_log(bool quiet) {
  return base::Log(quiet ? base::LogLevel::quiet : base::LogLevel::normal, flag_of);
}

int fail(const base::Log& log, const base::Error& error) {
  log.error(error);
  return exit_code(error);
}

namespace {

// CLI11 takes any line for a key: one that cannot be a flag's name tells that the file is no TOML.
base::Error config_error(std::string_view message, const std::string& program) {
  constexpr std::string_view kUnknown = "INI was not able to parse ";
  if (!message.starts_with(kUnknown)) {
    return {base::ErrorKind::usage, std::string(message), "--config", "leave it out"};
  }
  const std::string key(message.substr(kUnknown.size()));
  const bool name = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
  if (!name) {
    return {base::ErrorKind::input, "'" + key + "' is not a line of TOML", "--config",
            "write one flag = value a line"};
  }
  return {base::ErrorKind::usage, "'" + key + "' is not a flag", "--config",
          "see '" + program + " --help'"};
}

constexpr int64_t kMostConfigBytes = int64_t{1} << 20;

// CLI11 would wait for a pipe for ever, and read what has no end; an empty name it passes over.
std::string check_config(const std::string& name) {
  if (name.empty()) throw CLI::FileError("no file is named");
  const auto text = base::read_file(name, kMostConfigBytes);
  if (!text) throw CLI::FileError(name + ": " + text.error().what);
  return {};
}

}  // namespace

Command::Command(std::string_view verb, std::string_view description)
    : app_(std::string(description), "batchscope " + std::string(verb)) {
  app_.set_config("--config", "", "Read flags from a TOML file (long names, without the dashes)")
      ->check(check_config);
  app_.allow_config_extras(CLI::config_extras_mode::error);
  app_.get_formatter()->column_width(34);
}

bool Command::parse(std::vector<std::string> arguments, int& exit) {
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them last first
  try {
    app_.parse(arguments);
    return true;
  } catch (const CLI::CallForHelp&) {
    std::fputs(app_.help().c_str(), stdout);
    exit = kDone;
  } catch (const CLI::FileError& error) {
    exit = fail(make_log(), {base::ErrorKind::input, error.what(), "--config",
                             "name a TOML file of at most 1 MiB, with one flag = value a line"});
  } catch (const CLI::ConfigError& error) {
    exit = fail(make_log(), config_error(error.what(), app_.get_name()));
  } catch (const CLI::ParseError& error) {
    exit = fail(make_log(), {base::ErrorKind::usage, error.what(), app_.get_name(),
                             "see '" + app_.get_name() + " --help'"});
  }
  return false;
}

}  // namespace batchscope::cli
