#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/base/log.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/findings/summary.hpp"
#include "command.hpp"
#include "side_flags.hpp"

namespace batchscope::cli {

// What a build server asks for, as typed.
struct GateFlags {
  std::optional<std::string> fail_on;  // typed, be it empty: an unset variable must not open a gate
  std::optional<std::string> fail_on_regression;
  bool allow_inconclusive = false;
  bool strict = false;
  std::filesystem::path junit;
  std::string annotations;  // "github"
};

void add_flags(CLI::App& app, GateFlags& flags);

struct AskedGates {
  std::optional<findings::Severity> fail_on;
  std::optional<double> regression;  // the margin
};

// `runs`: all run files. Errors: usage (values; a gate over single runs or fewer than three a side,
// which cannot tell a change of the program from a change between runs; a file twice; reports
// without a gate).
base::Result<AskedGates> read_gates(const GateFlags& flags, const std::vector<std::string>& runs,
                                    const SideFlags& sides);

// The exit code that a gate asks for; done where it passed.
ExitCode code_of(const findings::Gate& gate, bool allow_inconclusive);
// Of two gates' exit codes that of the build: 5 before 6 before 4.
ExitCode worse(ExitCode a, ExitCode b);

// What gates came to, for the build server: annotations to standard error, the JUnit file, where
// they are wanted (`overwrite`: also over another). Errors: failed (the file).
base::Result<void> write_gate_reports(std::span<const findings::Gate> gates, const GateFlags& flags,
                                      bool overwrite);

// Writes the JUnit file where one is wanted (`overwrite`: also over another), says on standard
// error what did not pass, and returns the exit code: 5 before 6 before 4. Errors: usage (nothing
// could be compared), failed (the file).
base::Result<int> finish_gates(const findings::Summary& summary, const GateFlags& flags,
                               bool overwrite, const base::Log& log);

}  // namespace batchscope::cli
