#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/log.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/commandline/description.hpp"
#include "batchscope/commandline/help.hpp"
#include "batchscope/commandline/merged_flags.hpp"

namespace CLI {
class App;
}

namespace batchscope::commandline {

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
  kReaderLeft = 141,  // nobody read standard output to its end; as a shell says of SIGPIPE
};

ExitCode exit_code(const base::Error& error);

// Says the error on standard error (what, where, how to fix it) and returns its exit code.
int fail(const base::Log& log, const base::Error& error);

// A verb: its arguments (without the program and the verb) in, an exit code out.
using VerbMain = int (*)(const std::vector<std::string>& arguments);

// One verb's flags. Every flag can also stand in the TOML file of --config, under its long name.
class Command {
 public:
  Command(std::string_view verb, std::string_view description);
  ~Command();
  Command(Command&&) noexcept;

  CLI::App& app() { return *app_; }
  // Flags that most calls need, by their long names: first in the help, in this order.
  void usual(std::vector<std::string> names) { usual_ = std::move(names); }
  // The commonest commands, and what its groups of flags are called; for the help.
  void examples(std::vector<std::string> commands) { examples_ = std::move(commands); }
  void groups(std::span<const FlagGroup> groups) { groups_ = groups; }
  // Flags that are one decision; of those that the verb has.
  void merge(std::span<const MergedFlag> flags);
  // True when the verb is to run; otherwise `exit` holds the code (help was asked for, or usage).
  bool parse(const std::vector<std::string>& arguments, int& exit);

 private:
  using Help = std::string (*)(const ProgramDescription&, const Verb&, const HelpStyle&);
  int show(Help help) const;
  Verb described() const;
  bool parse_written_out(std::vector<std::string> arguments, int& exit);

  std::unique_ptr<CLI::App> app_;
  std::string verb_;
  std::vector<std::string> usual_, examples_;
  std::span<const FlagGroup> groups_;
  std::vector<MergedFlag> merged_;
};

// What a verb takes: calls it, and its Command ends it before it does anything.
Verb describe(std::string_view name, std::string_view tells, VerbMain verb);

}  // namespace batchscope::commandline
