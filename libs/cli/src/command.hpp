#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/log.hpp"
#include "batchscope/base/result.hpp"

namespace batchscope::cli {

// What the process answers with; docs/reference/exit-codes.md.
enum ExitCode : int {
  kDone = 0,
  kFailed = 1,
  kUsage = 2,
  kInput = 3,
  kTargetMissed = 4,    // --strict
  kFindingReached = 5,  // --fail-on, --fail-on-regression
  kCannotTell = 6,      // --fail-on-regression: neither shown nor excluded
  kInterrupted = 130,
};

ExitCode exit_code(const base::Error& error);

// Messages on standard error, in which subjects are flags. `quiet`: warnings and errors only.
base::Log make_log(bool quiet = false);

// Says the error on standard error (what, where, how to fix it) and returns its exit code.
int fail(const base::Log& log, const base::Error& error);

// A verb: its arguments (without the program and the verb) in, an exit code out.
using VerbMain = int (*)(const std::vector<std::string>& arguments);

int analyze_verb(const std::vector<std::string>& arguments);
int doctor_verb(const std::vector<std::string>& arguments);
int embed_verb(const std::vector<std::string>& arguments);
int import_verb(const std::vector<std::string>& arguments);
int plan_verb(const std::vector<std::string>& arguments);
int noise_scale_verb(const std::vector<std::string>& arguments);
int profile_verb(const std::vector<std::string>& arguments);
int report_verb(const std::vector<std::string>& arguments);
int tune_verb(const std::vector<std::string>& arguments);
int worker_verb(const std::vector<std::string>& arguments);

// One verb's flags. Every flag can also stand in the TOML file of --config, under its long name.
class Command {
 public:
  Command(std::string_view verb, std::string_view description);

  CLI::App& app() { return app_; }
  // True when the verb is to run; otherwise `exit` holds the code (help was asked for, or usage).
  bool parse(std::vector<std::string> arguments, int& exit);

 private:
  CLI::App app_;
};

}  // namespace batchscope::cli
