#include "command.hpp"

#include <algorithm>
#include <cstdio>

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

int fail(const base::Log& log, const base::Error& error) {
  log.error(base::to_string(error));
  return exit_code(error);
}

Command::Command(std::string_view verb, std::string_view description)
    : app_(std::string(description), "batchscope " + std::string(verb)) {
  app_.set_config("--config", "", "Read flags from a TOML file (long names, without the dashes)");
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
    exit = fail(base::Log(),
                {base::ErrorKind::input, error.what(), "--config", "name a readable TOML file"});
  } catch (const CLI::ParseError& error) {
    exit = fail(base::Log(), {base::ErrorKind::usage, error.what(), app_.get_name(),
                              "see '" + app_.get_name() + " --help'"});
  }
  return false;
}

}  // namespace batchscope::cli
