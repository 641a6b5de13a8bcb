#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/schema/run_config.hpp"

namespace batchscope::schema {
struct Header;
}

namespace batchscope::findings {

// What would settle an open question: batch sizes of one table, measured together in one run.
struct Measurement {
  schema::RunConfig setting{};        // without a batch size
  std::string model{};                // its file, or its name where no file is known
  std::vector<std::string> inputs{};  // of that file, as they were typed
  std::vector<int64_t> batch_sizes{};
  std::string run{};            // the file to write
  std::optional<int> blocks{};  // absent: as many as by default
};

// A run measured once more as its own command line says, but for what is set here, into a file
// beside it.
struct Again {
  const schema::Header& header;
  std::vector<int64_t> batch_sizes{};  // empty: the same
  std::optional<int> blocks{};         // absent: the same
  std::optional<int> visit_s{};        // that a visit is timed for, at least; absent: the same
  std::optional<int> budget_s{};       // of the whole; absent: the same
  bool waits_for_quiet = false;        // each run starts on a quiet machine, or after a minute
};

// A run that was not finished, gone on with.
struct Resumed {
  const schema::Header& header;
  std::string run{};  // where its file is now; empty: where its own command line has it
};

// The words of a command line, unquoted; none: there is no such command.
using CommandLine = std::vector<std::string>;

template <class Wanted>
CommandLine no_command(const Wanted&) {
  return {};
}
inline CommandLine no_check() {
  return {};
}

// How the readers of a report do what it proposes. By default they have no command line: what to do
// is said in words.
struct Commands {
  CommandLine (*measure)(const Measurement&) = no_command<Measurement>;
  CommandLine (*again)(const Again&) = no_command<Again>;
  // The same run again, with a search for causes and fresh visits, into a file beside it.
  CommandLine (*diagnose)(const schema::Header&) = no_command<schema::Header>;
  CommandLine (*resume)(const Resumed&) = no_command<Resumed>;
  // A longer table, in place of the run file at this path.
  CommandLine (*import_again)(const std::string& run) = no_command<std::string>;
  // A report of the run files at these paths.
  CommandLine (*report)(const std::vector<std::string>& runs) =
      no_command<std::vector<std::string>>;
  // Whether the machine is fit to measure on.
  CommandLine (*check_machine)() = no_check;
};

// One word for a POSIX shell: only what needs no thought stays bare.
std::string shell_word(const std::string& raw);
// The words as a command line that can be pasted.
std::string shell_command(std::span<const std::string> words);

}  // namespace batchscope::findings
